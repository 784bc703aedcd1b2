declare const styles: {
  readonly 'backdrop': string;
  readonly 'head': string;
  readonly 'sheet': string;
  readonly 'summary': string;
  readonly 'title': string;
};

export default styles;
