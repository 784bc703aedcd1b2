declare const styles: {
  readonly 'field': string;
  readonly 'grid': string;
  readonly 'hint': string;
  readonly 'legend': string;
  readonly 'place': string;
};

export default styles;
