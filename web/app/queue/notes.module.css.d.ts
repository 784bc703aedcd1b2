declare const styles: {
  readonly 'details': string;
  readonly 'note': string;
  readonly 'notes': string;
};

export default styles;
