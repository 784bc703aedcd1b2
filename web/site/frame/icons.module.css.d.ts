declare const styles: {
  readonly 'icon': string;
  readonly 'mark': string;
  readonly 'markArrow': string;
  readonly 'markLarge': string;
  readonly 'markSmall': string;
};

export default styles;
