declare const styles: {
  readonly 'button': string;
  readonly 'iconButton': string;
};

export default styles;
