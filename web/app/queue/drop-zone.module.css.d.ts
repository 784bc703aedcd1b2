declare const styles: {
  readonly 'arrow': string;
  readonly 'drawing': string;
  readonly 'drop': string;
  readonly 'formats': string;
  readonly 'hill': string;
  readonly 'hints': string;
  readonly 'keyboard': string;
  readonly 'large': string;
  readonly 'later': string;
  readonly 'paste': string;
  readonly 'small': string;
  readonly 'sun': string;
  readonly 'zone': string;
};

export default styles;
