// @ts-check
// Drawings as people make them, with the parts that take memory in a large picture: layers, masks, clip paths, blurs,
// shadows, turned groups. All are 100 × 100.
import { Buffer } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/toolchain.mjs';

/** @param {string} content @returns {Buffer} */
const drawing = (content) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">${content}</svg>`);

/** @param {number} count @param {(i: number) => string} part */
const many = (count, part) => Array.from({ length: count }, (_, i) => part(i)).join('');

const shade = `<linearGradient id="g"><stop stop-color="#fff"/><stop offset="1" stop-color="#333"/></linearGradient>`;

/** A shadow as Illustrator and Figma write it: blurred, moved, colored, and the shape above it. */
const shadow = (/** @type {number} */ deviation) => `<filter id="s" x="-.3" y="-.3" width="1.6" height="1.6">
  <feGaussianBlur in="SourceAlpha" stdDeviation="${deviation}"/><feOffset dx="1" dy="1.5" result="o"/>
  <feFlood flood-opacity=".5"/><feComposite in2="o" operator="in"/>
  <feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge></filter>`;

/** Layers, a mask, a clip path and a small shadow. */
const layers = `<filter id="f"><feDropShadow dx=".3" dy=".4" stdDeviation=".02"/></filter>${shade}
  <mask id="m"><rect width="100" height="100" fill="url(#g)"/></mask>
  <clipPath id="c"><circle cx="50" cy="50" r="49"/></clipPath>
  <g clip-path="url(#c)"><g mask="url(#m)"><path d="M0 50Q50-40 100 50V90H0z" fill="#27c"/></g></g>
  <g opacity=".5"><circle cx="40" cy="60" r="30" fill="#c52" filter="url(#f)"/></g>`;

const logo = `${shadow(1.5)}<rect width="100" height="100" fill="#eef"/>
  <g filter="url(#s)"><path d="M20 30L50 12 80 30V62L50 80 20 62z" fill="#06c"/><path d="M35 38H65V56H35z" fill="#fff"/>
  <text x="14" y="94" font-size="13" font-weight="bold" fill="#124">Company</text></g>`;

const photo = fs.readFileSync(path.join(root, 'tests/fixtures/pictures/zone-95.jpg')).toString('base64');

/** A photograph within a mask that fades, in a rounded frame with a shadow. */
const frame = `<filter id="f" x="-.2" y="-.2" width="1.4" height="1.4"><feDropShadow dx="1" dy="2" stdDeviation="2"
  flood-opacity=".6"/></filter><radialGradient id="r"><stop offset=".6" stop-color="#fff"/><stop offset="1"/>
  </radialGradient><mask id="m"><rect width="100" height="100" fill="url(#r)"/></mask>
  <clipPath id="c"><rect x="12" y="12" width="76" height="76" rx="9"/></clipPath>
  <rect x="10" y="10" width="80" height="80" rx="10" fill="#fff" filter="url(#f)"/>
  <g clip-path="url(#c)"><image mask="url(#m)" width="100" height="100" preserveAspectRatio="xMidYMid slice"
  href="data:image/jpeg;base64,${photo}"/></g>`;

/** Streets, fields and names. */
const map = `<g fill="#bdc" stroke="#798" stroke-width=".05">${many(
  3000,
  (i) => `<path d="M${(i * 37) % 100} ${(i * 61) % 97}l2 .4 .6 1.7-1.4 1.2-1.9-.8z"/>`,
)}</g>
  <g opacity=".7" fill="none" stroke="#c83" stroke-width=".3">${many(
    200,
    (i) => `<path d="M0 ${i / 2}C30 ${(i * 7) % 100} 60 ${(i * 13) % 100} 100 ${(i * 3) % 100}"/>`,
  )}</g>
  <g style="mix-blend-mode:multiply" fill="none" stroke="#36c" stroke-dasharray="1 .4" stroke-width=".2">${many(
    50,
    (i) => `<path d="M${i * 2} 0Q${(i * 17) % 100} 50 ${(i * 29) % 100} 100"/>`,
  )}</g>
  <g font-size="1.4">${many(300, (i) => `<text x="${(i * 41) % 96}" y="${(i * 23) % 99}">Street ${i}</text>`)}</g>`;

/** A chart with areas, a glow and points. */
const chart = `<filter id="b"><feGaussianBlur stdDeviation=".8"/></filter>${shade}
  <rect width="100" height="100" fill="#112"/><g stroke="#345" stroke-width=".1">${many(
    20,
    (i) => `<path d="M5 ${i * 5}H95M${i * 5} 5V95"/>`,
  )}</g>
  <path d="M5 95L20 60 40 70 60 30 80 45 95 20V95z" fill="url(#g)" opacity=".4"/>
  <path d="M5 90L20 60 40 70 60 30 80 45 95 20" fill="none" stroke="#0cf" stroke-width="2" filter="url(#b)"/>
  <path d="M5 90L20 60 40 70 60 30 80 45 95 20" fill="none" stroke="#fff" stroke-width=".6"/>
  ${many(400, (i) => `<circle cx="${5 + ((i * 53) % 90)}" cy="${5 + ((i * 31) % 90)}" r=".5" fill="#fc0"/>`)}`;

/** Layers within layers: groups with opacity, blend modes, masks and clip paths. */
const nested = `${shade}<mask id="m"><rect width="100" height="100" fill="url(#g)"/></mask>
  <clipPath id="c"><circle cx="50" cy="50" r="45"/></clipPath>
  <clipPath id="d" clip-path="url(#c)"><path d="M0 20H100V80H0z"/></clipPath>
  <g opacity=".9"><g clip-path="url(#d)"><g mask="url(#m)"><g style="mix-blend-mode:screen" opacity=".8">
  <rect width="100" height="100" fill="#c40"/><g style="isolation:isolate"><circle cx="40" cy="40" r="30" fill="#48c"/>
  <circle cx="60" cy="60" r="30" fill="#8c4" style="mix-blend-mode:overlay"/></g></g></g></g></g>`;

/** Large blurred shapes behind a page. */
const aurora = `<filter id="b" x="-1" y="-1" width="3" height="3"><feGaussianBlur stdDeviation="12"/></filter>
  <rect width="100" height="100" fill="#013"/><g filter="url(#b)"><circle cx="20" cy="30" r="20" fill="#f08"/>
  <circle cx="80" cy="40" r="25" fill="#08f"/><path d="M30 90L60 60 90 95z" fill="#0f8"/></g>`;

/** A sticker with a shadow, turned; and a blurred ground shadow within a skewed group, as Inkscape writes them. */
const turned = `${shadow(0.8)}<filter id="b"><feGaussianBlur stdDeviation="1.7 .9"/></filter>
  <g transform="matrix(1 .2 -.6 .8 20 0)"><ellipse cx="60" cy="88" rx="40" ry="6" filter="url(#b)" opacity=".5"/></g>
  <g transform="rotate(-14 50 45)"><g filter="url(#s)"><rect x="15" y="20" width="70" height="45" rx="6" fill="#fd3"/>
  <text x="22" y="47" font-size="14">Sale</text></g></g>`;

/** @type {[name: string, file: Buffer][]} */
export const drawings = [
  ['layers', drawing(layers)],
  ['logo with a shadow', drawing(logo)],
  ['photo in a frame', drawing(frame)],
  ['map', drawing(map)],
  ['chart', drawing(chart)],
  ['nested layers', drawing(nested)],
  ['large blurs', drawing(aurora)],
  ['turned shadows', drawing(turned)],
];
