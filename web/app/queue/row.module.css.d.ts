declare const styles: {
  readonly 'buttons': string;
  readonly 'change': string;
  readonly 'facts': string;
  readonly 'mark': string;
  readonly 'name': string;
  readonly 'notes': string;
  readonly 'pixels': string;
  readonly 'row': string;
  readonly 'sizes': string;
  readonly 'state': string;
  readonly 'what': string;
};

export default styles;
