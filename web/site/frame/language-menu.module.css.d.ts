declare const styles: {
  readonly 'button': string;
  readonly 'current': string;
  readonly 'entry': string;
  readonly 'hidden': string;
  readonly 'languages': string;
  readonly 'menu': string;
};

export default styles;
