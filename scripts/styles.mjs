// @ts-check
// The style sheets of the site. There are no files of them: a file would delay the first paint by 0.6 s, with
// Lighthouse's phone settings.

/**
 * Adds the style sheets of the first load to `sheets`, which become part of each page. A later chunk adds its own when it
 * is loaded.
 * @param {string[]} sheets
 * @returns {import('vite').Plugin}
 */
export function collectStyles(sheets) {
  return {
    name: 'collect-styles',
    enforce: 'post',
    generateBundle(_, output) {
      const chunks = Object.values(output).filter((file) => file.type === 'chunk');
      /** The chunks of the first load. The style sheet of a chunk comes behind those of its imports. */
      const first = new Set();
      /** @param {string} name */
      const add = (name) => {
        const chunk = output[name];
        if (first.has(name) || chunk?.type !== 'chunk') return;
        first.add(name);
        chunk.imports.forEach(add);
        sheets.push(takeStyles(output, chunk));
      };
      // The entry imports the pages dynamically, and nothing else.
      chunks
        .filter(({ isEntry }) => isEntry)
        .forEach((entry) => void [entry.fileName, ...entry.dynamicImports].forEach(add));
      for (const chunk of chunks.filter(({ fileName }) => !first.has(fileName))) {
        const styles = takeStyles(output, chunk);
        if (styles !== '') chunk.code = adopting(styles) + chunk.code;
      }
    },
  };
}

/** @typedef {import('vite').Rolldown.OutputBundle} Output */

/**
 * Removes the style sheets of a chunk from the output and returns their text.
 * @param {Output} output
 * @param {import('vite').Rolldown.OutputChunk} chunk
 */
function takeStyles(output, chunk) {
  const names = chunk.viteMetadata?.importedCss ?? new Set();
  const texts = [...names].map((name) => {
    const sheet = output[name];
    if (sheet?.type !== 'asset') throw new Error(`the bundler wrote no style sheet ${name}`);
    delete output[name];
    return String(sheet.source)
      .replace(/\/\*\$vite\$:\d+\*\//g, '')
      .trim();
  });
  names.clear();
  return texts.join('');
}

/** @param {string} styles @returns {string} the code that adds a style sheet to the page; the policy allows no other way */
function adopting(styles) {
  const text = JSON.stringify(styles);
  return `{const sheet=new CSSStyleSheet;sheet.replaceSync(${text});document.adoptedStyleSheets.push(sheet)}`;
}
