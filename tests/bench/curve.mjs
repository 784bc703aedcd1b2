// @ts-check
// The size of files over their distance from the original, for encoders that are compared at equal distance.
import sharp from 'sharp';

/** @typedef {{ bytes: number, distance: number }} Point of a curve, at one quality; the distance is 0 for equal pictures */

/** @param {Uint8Array} file @returns {Promise<import('./dssim.mjs').Picture>} */
export async function pictureOf(file) {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/**
 * Returns the bytes of a curve at a distance, by linear interpolation of the logarithms.
 * @param {Point[]} curve @param {number} at
 */
export function bytesAt(curve, at) {
  for (const [i, { bytes, distance: left }] of curve.entries()) {
    const next = curve[i + 1];
    if (next === undefined || at > left || at < next.distance) continue;
    const share = Math.log(at / left) / Math.log(next.distance / left);
    return Math.exp(Math.log(bytes) + share * Math.log(next.bytes / bytes));
  }
  return Number.NaN;
}
