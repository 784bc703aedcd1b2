// Rules for style sheets: CSS modules in cascade layers, logical properties, tokens instead of raw colours.

/** @type {import('stylelint').Config} */
export default {
  extends: ['stylelint-config-standard'],
  reportDescriptionlessDisables: true,
  reportNeedlessDisables: true,
  rules: {
    // TypeScript reads CSS modules as `styles.dropZone`.
    'selector-class-pattern': [
      '^[a-z][a-zA-Z0-9]*$',
      { message: 'Use camelCase: class names are properties in TypeScript' },
    ],
    'selector-pseudo-class-no-unknown': [true, { ignorePseudoClasses: ['global', 'local'] }],
    'property-no-unknown': [true, { ignoreProperties: ['composes'] }],
    'declaration-no-important': [true, { message: 'Use cascade layers instead of !important' }],
    'selector-max-id': [0, { message: 'Use data-* or ARIA for state and classes for elements' }],
    'color-named': ['never', { ignore: ['inside-function'], message: 'Use colour tokens' }],
    'property-disallowed-list': [
      [
        '/^margin-(left|right|top|bottom)$/',
        '/^padding-(left|right|top|bottom)$/',
        '/^border-(left|right|top|bottom)(-|$)/',
        'left',
        'right',
        'top',
        'bottom',
        'float',
      ],
      { message: 'Use the logical property (inline/block, start/end)' },
    ],
    // Tokens are in groups, each under its comment.
    'custom-property-empty-line-before': null,
    'import-notation': null,
    'no-descending-specificity': null,
  },
};
