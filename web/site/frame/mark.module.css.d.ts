declare const styles: {
  readonly 'arrow': string;
  readonly 'large': string;
  readonly 'mark': string;
  readonly 'small': string;
};

export default styles;
