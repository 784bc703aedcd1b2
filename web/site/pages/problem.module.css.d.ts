declare const styles: {
  readonly 'home': string;
  readonly 'later': string;
  readonly 'problem': string;
  readonly 'ways': string;
};

export default styles;
