declare const styles: {
  readonly 'button': string;
  readonly 'entry': string;
  readonly 'languages': string;
  readonly 'menu': string;
};

export default styles;
