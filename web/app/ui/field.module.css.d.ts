declare const styles: {
  readonly 'box': string;
  readonly 'choice': string;
  readonly 'field': string;
  readonly 'input': string;
  readonly 'label': string;
  readonly 'select': string;
  readonly 'tick': string;
  readonly 'unit': string;
};

export default styles;
