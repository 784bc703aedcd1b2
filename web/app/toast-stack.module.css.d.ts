declare const styles: {
  readonly 'stack': string;
  readonly 'toast': string;
  readonly 'words': string;
};

export default styles;
