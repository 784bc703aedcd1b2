declare const styles: {
  readonly 'line': string;
};

export default styles;
