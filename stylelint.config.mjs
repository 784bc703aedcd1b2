// Style sheets: CSS modules under cascade layers, logical properties, tokens instead of raw colours.

/** @type {import('stylelint').Config} */
export default {
  extends: ['stylelint-config-standard'],
  reportDescriptionlessDisables: true,
  reportNeedlessDisables: true,
  rules: {
    // CSS modules are read as `styles.dropZone`.
    'selector-class-pattern': [
      '^[a-z][a-zA-Z0-9]*$',
      { message: 'Class names are camelCase: they are properties in TypeScript' },
    ],
    'selector-pseudo-class-no-unknown': [true, { ignorePseudoClasses: ['global', 'local'] }],
    'property-no-unknown': [true, { ignoreProperties: ['composes'] }],
    'declaration-no-important': [true, { message: 'Layers decide who wins; !important hides that' }],
    'selector-max-id': [0, { message: 'State is data-* and ARIA, identity is a class' }],
    'color-named': ['never', { ignore: ['inside-function'], message: 'Colours are tokens' }],
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
    // Tokens stand in groups, each under its comment.
    'custom-property-empty-line-before': null,
    'import-notation': null,
    'no-descending-specificity': null,
  },
};
