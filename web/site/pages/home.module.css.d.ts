declare const styles: {
  readonly 'answer': string;
  readonly 'blurb': string;
  readonly 'blurbs': string;
  readonly 'check': string;
  readonly 'contact': string;
  readonly 'faq': string;
  readonly 'question': string;
  readonly 'questions': string;
};

export default styles;
