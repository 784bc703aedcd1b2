// @ts-check
// The exact picture at another size, in 64-bit floating point: Lanczos with three lobes, first along the rows and then
// down the columns, as `resample::reference` does it. Transparent pixels are shown on white afterwards.

/** @typedef {'encoded' | 'linear'} Light in which samples are averaged */
/** @typedef {{ width: number, height: number }} Size */

/** @param {number} x */
function lanczos3(x) {
  if (Math.abs(x) >= 3) return 0;
  if (x === 0) return 1;
  return (3 * Math.sin(Math.PI * x) * Math.sin((Math.PI * x) / 3)) / (Math.PI * x) ** 2;
}

/** @param {number} from @param {number} to @returns {{ first: number, factors: number[] }[]} for each target sample */
function weights(from, to) {
  const scale = Math.max(from / to, 1);
  return Array.from({ length: to }, (_, i) => {
    const middle = ((i + 0.5) * from) / to;
    const first = Math.max(0, Math.ceil(middle - 3 * scale - 0.5));
    const last = Math.min(from - 1, Math.floor(middle + 3 * scale - 0.5));
    const factors = [];
    for (let at = first; at <= last; at++) factors.push(lanczos3((at + 0.5 - middle) / scale));
    const sum = factors.reduce((a, b) => a + b);
    return { first, factors: factors.map((factor) => factor / sum) };
  });
}

/** @param {number} value @returns {number} */
const toLight = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** @param {number} value @returns {number} */
const toCode = (value) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);

/**
 * Resamples rows of four premultiplied samples along the rows, and exchanges rows and columns.
 * @param {Float64Array} samples @param {Size} size @param {number} to @returns {Float64Array}
 */
function turned(samples, { width, height }, to) {
  const into = new Float64Array(to * height * 4);
  for (const [x, { first, factors }] of weights(width, to).entries()) {
    for (let y = 0; y < height; y++) {
      const [start, target] = [(y * width + first) * 4, (x * height + y) * 4];
      for (let c = 0; c < 4; c++) {
        let sum = 0;
        for (let k = 0; k < factors.length; k++) sum += (factors[k] ?? 0) * (samples[start + 4 * k + c] ?? 0);
        into[target + c] = sum;
      }
    }
  }
  return into;
}

/**
 * @param {Uint8Array} rgba rows with straight alpha
 * @param {Size} from
 * @param {Size} to
 * @param {Light} light
 * @returns {Uint8Array} RGB rows, rounded once
 */
export function resized(rgba, from, to, light) {
  const decode = light === 'linear' ? toLight : (/** @type {number} */ value) => value;
  const encode = light === 'linear' ? toCode : (/** @type {number} */ value) => value;
  const table = Float64Array.from({ length: 256 }, (_, code) => decode(code / 255));
  const samples = new Float64Array(rgba.length);
  for (let i = 0; i < rgba.length; i += 4) {
    const alpha = (rgba[i + 3] ?? 0) / 255;
    for (let c = 0; c < 3; c++) samples[i + c] = (table[rgba[i + c] ?? 0] ?? 0) * alpha;
    samples[i + 3] = alpha;
  }
  const once = turned(samples, from, to.width);
  const twice = turned(once, { width: from.height, height: to.width }, to.height);
  const into = new Uint8Array(to.width * to.height * 3);
  for (let i = 0; i < into.length / 3; i++) {
    // Beside edges the kernel rings: alpha is above 1, and premultiplied colour is by the same factor.
    const ringing = twice[4 * i + 3] ?? 0;
    const alpha = Math.min(Math.max(ringing, 0), 1);
    for (let c = 0; c < 3; c++) {
      const straight = alpha > 0 ? Math.min(Math.max((twice[4 * i + c] ?? 0) / ringing, 0), 1) : 0;
      into[3 * i + c] = Math.round(255 * (encode(straight) * alpha + 1 - alpha));
    }
  }
  return into;
}
