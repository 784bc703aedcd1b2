declare const styles: {
  readonly 'policy': string;
  readonly 'updated': string;
};

export default styles;
