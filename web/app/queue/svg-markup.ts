// Finds the markup of a drawing in a pasted text, such as an SVG file that was copied from an editor, or an element that
// was copied from a page.

const SVG_ROOT = /^<(?:[\w-]+:)?svg[\s/>]/;
/** A document type. Its declarations stand in brackets and contain `>`. */
const DOCTYPE = /^<!DOCTYPE\s[^[>]*(?:\[[^\]]*\]\s*)?>/;
/** The tags that browsers put around copied parts of a page. */
const HTML_FRAME = /^<\/?(?:html|head|body|meta)\b[^>]*>/i;

/** Returns a whole SVG file from a text that is one, or null. */
export function svgOfText(text: string): string | null {
  const root = rootOf(text, [DOCTYPE]);
  return root === null ? null : text.slice(0, text.length - root.length) + withNamespaces(root);
}

/** Returns a whole SVG file from a copied part of a page that begins with a drawing, or null. */
export function svgOfHtml(html: string): string | null {
  const root = rootOf(html, [DOCTYPE, HTML_FRAME]);
  return root === null ? null : withNamespaces(root.slice(0, root.lastIndexOf('</svg>') + '</svg>'.length));
}

/** Returns the text from the element `svg` on if only comments, instructions and `skipped` tags precede it. */
function rootOf(text: string, skipped: readonly RegExp[]): string | null {
  let rest = text.trimStart();
  for (;;) {
    if (SVG_ROOT.test(rest)) return rest;
    const length = rest.startsWith('<?')
      ? lengthTo(rest, '?>')
      : rest.startsWith('<!--')
        ? lengthTo(rest, '-->')
        : skipped.map((tag) => tag.exec(rest)?.[0].length ?? 0).find((found) => found > 0);
    if (length === undefined || length === 0) return null;
    rest = rest.slice(length).trimStart();
  }
}

/** Returns the length of the text up to and with `end`; 0 if the text does not contain it. */
function lengthTo(text: string, end: string): number {
  const at = text.indexOf(end);
  return at < 0 ? 0 : at + end.length;
}

/** Declares the namespaces that a page does not need and a file does. */
function withNamespaces(root: string): string {
  const tag = root.slice(0, root.indexOf('>'));
  const svg = tag.startsWith('<svg') && !/\sxmlns\s*=/.test(tag) ? ' xmlns="http://www.w3.org/2000/svg"' : '';
  const usesLinks = root.includes(' xlink:') && !root.includes('xmlns:xlink');
  const xlink = usesLinks ? ' xmlns:xlink="http://www.w3.org/1999/xlink"' : '';
  return root.replace(/^<[\w:-]+/, (name) => name + svg + xlink);
}
