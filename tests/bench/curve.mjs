// @ts-check
// The size of files over their distance from the original, for encoders that are compared at equal distance.
import sharp from 'sharp';

/** @typedef {{ bytes: number, dssim: number }} Point of a curve, at one quality */

/** @param {Uint8Array} file @returns {Promise<import('./dssim.mjs').Picture>} */
export async function pictureOf(file) {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/**
 * Returns the bytes of a curve at a DSSIM, by linear interpolation of the logarithms.
 * @param {Point[]} curve @param {number} at
 */
export function bytesAt(curve, at) {
  for (const [i, { bytes, dssim: left }] of curve.entries()) {
    const next = curve[i + 1];
    if (next === undefined || at > left || at < next.dssim) continue;
    const share = Math.log(at / left) / Math.log(next.dssim / left);
    return Math.exp(Math.log(bytes) + share * Math.log(next.bytes / bytes));
  }
  return Number.NaN;
}
