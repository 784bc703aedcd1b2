declare const styles: {
  readonly 'frame': string;
  readonly 'main': string;
  readonly 'skip': string;
};

export default styles;
