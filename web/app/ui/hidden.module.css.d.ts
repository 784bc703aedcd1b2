declare const styles: {
  readonly 'hidden': string;
  readonly 'hiddenWhenNarrow': string;
};

export default styles;
