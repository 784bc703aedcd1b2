declare const styles: {
  readonly 'aside': string;
  readonly 'files': string;
  readonly 'heading': string;
  readonly 'lead': string;
  readonly 'list': string;
  readonly 'settings': string;
  readonly 'title': string;
  readonly 'workspace': string;
};

export default styles;
