declare const styles: {
  readonly 'message': string;
};

export default styles;
