declare const styles: {
  readonly 'entry': string;
  readonly 'menu': string;
  readonly 'place': string;
};

export default styles;
