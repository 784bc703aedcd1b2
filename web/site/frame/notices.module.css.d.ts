declare const styles: {
  readonly 'slow': string;
  readonly 'update': string;
};

export default styles;
