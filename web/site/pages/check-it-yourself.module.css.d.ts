declare const styles: {
  readonly 'content': string;
  readonly 'dialog': string;
  readonly 'fact': string;
  readonly 'header': string;
  readonly 'policy': string;
};

export default styles;
