declare const styles: {
  readonly 'card': string;
  readonly 'list': string;
  readonly 'toolbar': string;
  readonly 'total': string;
};

export default styles;
