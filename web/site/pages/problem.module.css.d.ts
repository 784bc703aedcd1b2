declare const styles: {
  readonly 'later': string;
  readonly 'problem': string;
  readonly 'ways': string;
};

export default styles;
