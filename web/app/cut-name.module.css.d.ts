declare const styles: {
  readonly 'beginning': string;
  readonly 'end': string;
  readonly 'name': string;
};

export default styles;
