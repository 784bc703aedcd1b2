declare const styles: {
  readonly 'hidden': string;
  readonly 'reload': string;
  readonly 'slow': string;
  readonly 'update': string;
};

export default styles;
