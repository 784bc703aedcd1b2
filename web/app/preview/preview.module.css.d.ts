declare const styles: {
  readonly 'buttons': string;
  readonly 'caption': string;
  readonly 'content': string;
  readonly 'cropFrame': string;
  readonly 'cropped': string;
  readonly 'dialog': string;
  readonly 'footer': string;
  readonly 'header': string;
  readonly 'images': string;
  readonly 'items': string;
  readonly 'levels': string;
  readonly 'line': string;
  readonly 'message': string;
  readonly 'own': string;
  readonly 'ownFields': string;
  readonly 'ownNote': string;
  readonly 'ownSize': string;
  readonly 'pager': string;
  readonly 'picture': string;
  readonly 'previous': string;
  readonly 'slider': string;
  readonly 'stage': string;
  readonly 'title': string;
  readonly 'turns': string;
};

export default styles;
