declare const styles: {
  readonly 'advanced': string;
  readonly 'choices': string;
  readonly 'color': string;
  readonly 'current': string;
  readonly 'example': string;
  readonly 'exampleName': string;
  readonly 'exampleSizes': string;
  readonly 'fields': string;
  readonly 'group': string;
  readonly 'hint': string;
  readonly 'legend': string;
  readonly 'more': string;
  readonly 'note': string;
  readonly 'panel': string;
  readonly 'policies': string;
  readonly 'quality': string;
  readonly 'reset': string;
  readonly 'section': string;
  readonly 'shapes': string;
  readonly 'sides': string;
  readonly 'slider': string;
  readonly 'summary': string;
  readonly 'title': string;
  readonly 'tokens': string;
  readonly 'value': string;
};

export default styles;
