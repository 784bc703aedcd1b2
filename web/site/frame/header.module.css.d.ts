declare const styles: {
  readonly 'header': string;
  readonly 'name': string;
  readonly 'tools': string;
};

export default styles;
