declare const styles: {
  readonly 'chips': string;
  readonly 'link': string;
  readonly 'note': string;
  readonly 'own': string;
  readonly 'presets': string;
  readonly 'row': string;
};

export default styles;
