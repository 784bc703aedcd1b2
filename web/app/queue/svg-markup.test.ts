import { describe, expect, it } from 'vitest';
import { svgOfHtml, svgOfText } from './svg-markup.ts';

const NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"';
const svg = `<svg ${NAMESPACE} width="2"><path d="M0 0"/></svg>`;

describe('the text of an SVG file', () => {
  it.each([
    svg,
    `<?xml version="1.0"?>\n<!-- a > b, <svg> -->\n${svg}\n`,
    `<!DOCTYPE svg PUBLIC "a" "b" [\n<!ENTITY ns "c">\n]>\n${svg}`,
    `<s:svg xmlns:s="http://www.w3.org/2000/svg"/>`,
  ])('is taken as it is: %s', (text) => {
    expect(svgOfText(text)).toBe(text);
  });

  it('gets the namespaces that an element of a page does not need', () => {
    expect(svgOfText('<svg width="2"><path/></svg>')).toBe(`<svg ${NAMESPACE} width="2"><path/></svg>`);
    const links = '<svg xmlns="http://www.w3.org/2000/svg"><use xlink:href="#a"/></svg>';
    expect(svgOfText(links)).toBe(links.replace('<svg', '<svg xmlns:xlink="http://www.w3.org/1999/xlink"'));
  });

  it.each([
    ['no markup', 'svg'],
    ['another element', '<path d="M0 0"/>'],
    ['an element with a similar name', '<svgx/>'],
    ['markup inside other markup', `<p>${svg}</p>`],
    ['a page', `<html><body>${svg}</body></html>`],
    ['a sentence about it', `Write ${svg}`],
    ['a comment without an end', `<!-- ${svg}`],
    ['a declaration without an end', `<!DOCTYPE svg [ ${svg}`],
    ['many comments', '<!---->'.repeat(10_000)],
  ])('is not %s', (_, text) => {
    expect(svgOfText(text)).toBeNull();
  });
});

describe('the copied part of a page', () => {
  it('is a drawing if it begins with one', () => {
    const html = `<html>\n<body>\n<!--StartFragment-->${svg}<!--EndFragment-->\n</body>\n</html>`;
    expect(svgOfHtml(html)).toBe(svg);
    expect(svgOfHtml(`<meta charset='utf-8'>${svg}<br>`)).toBe(svg);
  });

  it('is no drawing if something else precedes it', () => {
    expect(svgOfHtml(`<meta charset='utf-8'><p>Text</p>${svg}`)).toBeNull();
  });
});
