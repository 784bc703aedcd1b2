declare const styles: {
  readonly 'overlay': string;
  readonly 'words': string;
};

export default styles;
