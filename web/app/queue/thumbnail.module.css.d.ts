declare const styles: {
  readonly 'frame': string;
  readonly 'picture': string;
};

export default styles;
