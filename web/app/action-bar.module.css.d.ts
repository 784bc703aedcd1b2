declare const styles: {
  readonly 'bar': string;
  readonly 'buttons': string;
  readonly 'idle': string;
  readonly 'more': string;
  readonly 'status': string;
  readonly 'words': string;
};

export default styles;
