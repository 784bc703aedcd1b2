declare const styles: {
  readonly 'badge': string;
  readonly 'frame': string;
  readonly 'picture': string;
};

export default styles;
