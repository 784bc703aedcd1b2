declare const styles: {
  readonly 'footer': string;
  readonly 'inner': string;
  readonly 'link': string;
  readonly 'offline': string;
};

export default styles;
