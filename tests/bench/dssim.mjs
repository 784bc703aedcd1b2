// @ts-check
// How far a picture is from a reference, as an eye that sees details of several sizes sees it: SSIM (Z. Wang and
// others, 2004) in Oklab at five sizes, with the weights of the tool `dssim`. The result is 1 / SSIM − 1: 0 for equal
// pictures. The figures are near to those of that tool, but not the same.

/** @typedef {{ width: number, height: number, data: Uint8Array }} Picture RGB rows */
/** @typedef {{ width: number, height: number, channels: Float32Array[] }} Layers */
/** @typedef {{ layers: Layers, means: Float32Array[], squares: Float32Array[] }[]} Reference for each size */

const weights = [0.028, 0.197, 0.322, 0.298, 0.155];
// The constants of SSIM for samples of 0 to 1.
const c1 = 0.01 ** 2;
const c2 = 0.03 ** 2;
/** A Gaussian of nine taps with a standard deviation of 1.5. */
const taps = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((x) => Math.exp((-x * x) / 4.5));
const sum = taps.reduce((a, b) => a + b);
const gaussian = Float32Array.from(taps, (tap) => tap / sum);

/** The light of each code of sRGB. */
const light = Float64Array.from({ length: 256 }, (_, code) => {
  const value = code / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

/** @param {Picture} picture @returns {Layers} lightness and both colour axes, which are moved to positive values */
function oklab({ width, height, data }) {
  const channels = [0, 1, 2].map(() => new Float32Array(width * height));
  const [lightness, a, b] = /** @type {[Float32Array, Float32Array, Float32Array]} */ (channels);
  for (let i = 0; i < width * height; i++) {
    const red = light[data[3 * i] ?? 0] ?? 0;
    const green = light[data[3 * i + 1] ?? 0] ?? 0;
    const blue = light[data[3 * i + 2] ?? 0] ?? 0;
    const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
    const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
    const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
    lightness[i] = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
    a[i] = 0.5 + 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
    b[i] = 0.5 + 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  }
  return { width, height, channels };
}

/** @param {Layers} layers @returns {Layers} half as wide and high */
function half({ width, height, channels }) {
  const [w, h] = [width >> 1, height >> 1];
  const halve = (/** @type {Float32Array} */ samples) => {
    const into = new Float32Array(w * h);
    for (let y = 0; y < h; y++) {
      for (let x = 0; x < w; x++) {
        const at = 2 * y * width + 2 * x;
        const above = (samples[at] ?? 0) + (samples[at + 1] ?? 0);
        into[y * w + x] = (above + (samples[at + width] ?? 0) + (samples[at + width + 1] ?? 0)) / 4;
      }
    }
    return into;
  };
  return { width: w, height: h, channels: channels.map(halve) };
}

/**
 * Blurs along the rows, and exchanges rows and columns. The samples at the ends are repeated.
 * @param {Float32Array} samples @param {number} width @param {number} height @returns {Float32Array}
 */
function turned(samples, width, height) {
  const into = new Float32Array(samples.length);
  const row = new Float32Array(width + 8);
  for (let y = 0; y < height; y++) {
    row.set(samples.subarray(y * width, (y + 1) * width), 4);
    row.fill(row[4] ?? 0, 0, 4).fill(row[width + 3] ?? 0, width + 4);
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let k = 0; k < 9; k++) sum += (gaussian[k] ?? 0) * (row[x + k] ?? 0);
      into[x * height + y] = sum;
    }
  }
  return into;
}

/** @param {Float32Array} samples @param {number} width @param {number} height @returns {Float32Array} blurred */
const blur = (samples, width, height) => turned(turned(samples, width, height), height, width);

/** @param {Float32Array} a @param {Float32Array} b @returns {Float32Array} */
function product(a, b) {
  const into = new Float32Array(a.length);
  for (let i = 0; i < a.length; i++) into[i] = (a[i] ?? 0) * (b[i] ?? 0);
  return into;
}

/** Prepares a reference for comparisons. @param {Picture} picture @returns {Reference} */
export function prepare(picture) {
  const sizes = [oklab(picture)];
  while (sizes.length < weights.length) sizes.push(half(/** @type {Layers} */ (sizes.at(-1))));
  return sizes.map((layers) => {
    const { width, height, channels } = layers;
    const means = channels.map((samples) => blur(samples, width, height));
    const squares = channels.map((samples) => blur(product(samples, samples), width, height));
    return { layers, means, squares };
  });
}

/** @param {Reference[number]} a @param {Reference[number]} b @returns {number} SSIM of one size */
function ssim(a, b) {
  const { width, height } = a.layers;
  let total = 0;
  for (let c = 0; c < 3; c++) {
    const layers = [a, b].map(({ layers }) => /** @type {Float32Array} */ (layers.channels[c]));
    const [first, second] = /** @type {[Float32Array, Float32Array]} */ (layers);
    const together = blur(product(first, second), width, height);
    for (let i = 0; i < together.length; i++) {
      const x = a.means[c]?.[i] ?? 0;
      const y = b.means[c]?.[i] ?? 0;
      const spread = (a.squares[c]?.[i] ?? 0) - x * x + (b.squares[c]?.[i] ?? 0) - y * y;
      const common = (together[i] ?? 0) - x * y;
      total += ((2 * x * y + c1) * (2 * common + c2)) / ((x * x + y * y + c1) * (spread + c2));
    }
  }
  return total / (3 * width * height);
}

/** @param {Reference} reference @param {Picture} picture @returns {number} 0 for equal pictures */
export function dssim(reference, picture) {
  const seen = prepare(picture);
  const similar = reference.map(
    (size, i) => (weights[i] ?? 0) * ssim(size, /** @type {Reference[number]} */ (seen[i])),
  );
  return 1 / similar.reduce((a, b) => a + b) - 1;
}
