declare const styles: {
  readonly 'toggle': string;
};

export default styles;
