declare const styles: {
  readonly 'card': string;
  readonly 'group': string;
  readonly 'line': string;
  readonly 'list': string;
  readonly 'reason': string;
  readonly 'toolbar': string;
  readonly 'total': string;
};

export default styles;
