declare const styles: {
  readonly 'backdrop': string;
  readonly 'button': string;
  readonly 'done': string;
  readonly 'sheet': string;
  readonly 'words': string;
};

export default styles;
