declare const styles: {
  readonly 'buttons': string;
  readonly 'change': string;
  readonly 'facts': string;
  readonly 'mark': string;
  readonly 'name': string;
  readonly 'notes': string;
  readonly 'pixels': string;
  readonly 'row': string;
  readonly 'second': string;
  readonly 'share': string;
  readonly 'sizes': string;
  readonly 'state': string;
  readonly 'third': string;
};

export default styles;
