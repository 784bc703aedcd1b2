declare const styles: {
  readonly 'footer': string;
  readonly 'inner': string;
  readonly 'links': string;
  readonly 'offline': string;
};

export default styles;
