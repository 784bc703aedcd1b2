declare const styles: {
  readonly 'current': string;
  readonly 'field': string;
  readonly 'legend': string;
  readonly 'lying': string;
  readonly 'mirrored': string;
};

export default styles;
