// @ts-check
// The inputs of the benchmarks: 24-megapixel pictures, composed of real photographs. These are not scaled, because
// scaling would remove the grain, on which the time of decoders depends. They are made once, in .tools/bench.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { root } from '../../scripts/toolchain.mjs';

const photos = path.join(process.env['SHARED_DIR'] ?? path.join(root, '../shared'), 'photos');
const folder = path.join(root, '.tools/bench');
const size = { width: 6000, height: 4000 };
const tile = 2000;

/** @returns {string[]} the photographs, sorted; exits if there are none */
export function photographs() {
  const files = fs.existsSync(photos) ? fs.readdirSync(photos).filter((name) => /\.jpe?g$/i.test(name)) : [];
  if (files.length === 0) {
    console.error(`\n!!! no photographs in ${photos}: the benchmarks need photographs.`);
    console.error('!!! Give files (npm run bench -- FILE…) or set SHARED_DIR.\n');
    process.exit(1);
  }
  return files.sort().map((name) => path.join(photos, name));
}

/** @returns {Promise<Buffer>} RGB rows: tiles from the left and the right of three landscapes */
async function mosaic() {
  const landscapes = photographs().filter((file) => path.basename(file).startsWith('openbsd'));
  const tiles = await Promise.all(
    [...landscapes, ...landscapes].slice(0, 6).map(async (file, i) => {
      const isLower = i >= landscapes.length;
      const { width, height } = await sharp(file).metadata();
      const place = { left: isLower ? width - tile : 0, top: Math.trunc((height - tile) / 2) };
      const input = await sharp(file)
        .extract({ ...place, width: tile, height: tile })
        .png({ compressionLevel: 0 })
        .toBuffer();
      return { input, left: (i % 3) * tile, top: isLower ? tile : 0 };
    }),
  );
  const ground = { ...size, channels: /** @type {3} */ (3), background: '#000' };
  return sharp({ create: ground, limitInputPixels: false }).composite(tiles).removeAlpha().raw().toBuffer();
}

/** @param {Buffer} rgb @returns {Buffer} a BMP with 24 bits per pixel, bottom-up; its rows need no padding */
function bmp(rgb) {
  const rowBytes = size.width * 3;
  const file = Buffer.alloc(54 + rgb.length);
  file.write('BM');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(size.width, 18);
  file.writeInt32LE(size.height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  for (let y = 0; y < size.height; y++) {
    const from = y * rowBytes;
    const to = 54 + (size.height - 1 - y) * rowBytes;
    for (let i = 0; i < rowBytes; i += 3) {
      file[to + i] = rgb[from + i + 2] ?? 0;
      file[to + i + 1] = rgb[from + i + 1] ?? 0;
      file[to + i + 2] = rgb[from + i] ?? 0;
    }
  }
  return file;
}

/**
 * Makes the mosaic as baseline and as progressive 4:2:0 JPEG, as PNG with a filter chosen per row, as BMP, and as TIFF: with LZW and the
 * horizontal predictor, and uncompressed.
 * @returns {Promise<{ jpeg: string, progressive: string, png: string, bmp: string, lzw: string, tiff: string }>} paths
 */
export async function mosaics() {
  const place = (/** @type {string} */ name) => path.join(folder, `mosaic-24mp${name}`);
  const paths = {
    jpeg: place('.jpg'),
    progressive: place('-progressive.jpg'),
    png: place('.png'),
    bmp: place('.bmp'),
    lzw: place('-lzw.tif'),
    tiff: place('.tif'),
  };
  if (Object.values(paths).every((file) => fs.existsSync(file))) return paths;
  console.log('making the 24-megapixel pictures …');
  const rgb = await mosaic();
  const raw = () => sharp(rgb, { raw: { ...size, channels: 3 } });
  fs.mkdirSync(folder, { recursive: true });
  await raw().jpeg({ quality: 90, chromaSubsampling: '4:2:0' }).toFile(paths.jpeg);
  await raw().jpeg({ quality: 90, chromaSubsampling: '4:2:0', progressive: true }).toFile(paths.progressive);
  await raw().png({ adaptiveFiltering: true, compressionLevel: 6 }).toFile(paths.png);
  fs.writeFileSync(paths.bmp, bmp(rgb));
  await raw().tiff({ compression: 'lzw', predictor: 'horizontal' }).toFile(paths.lzw);
  await raw().tiff({ compression: 'none' }).toFile(paths.tiff);
  return paths;
}

/**
 * Makes 12 megapixels of the mosaic as AVIF and, if `cjxl` is there, as JPEG XL, of a quality as cameras have it.
 * @returns {Promise<string[]>} paths
 */
export async function modernMosaics() {
  const [png, avif, jxl] = ['.png', '.avif', '.jxl'].map((end) => path.join(folder, `mosaic-12mp${end}`));
  if (png === undefined || avif === undefined || jxl === undefined) throw new Error('three paths');
  if (!fs.existsSync(avif)) {
    console.log('making the 12-megapixel pictures …');
    const { jpeg } = await mosaics();
    const part = sharp(jpeg).extract({ left: 1000, top: 500, width: 4000, height: 3000 });
    await part.png({ compressionLevel: 1 }).toFile(png);
    await sharp(png).avif({ quality: 65, effort: 2, chromaSubsampling: '4:2:0' }).toFile(avif);
  }
  if (!fs.existsSync(jxl)) {
    try {
      execFileSync('cjxl', [png, jxl, '-d', '1', '-e', '5', '--quiet']);
    } catch {
      console.error('!!! SKIPPED: no cjxl, so no JPEG XL');
      return [avif];
    }
  }
  return [avif, jxl];
}

/** Makes the mosaic, repeated to 12,500 × 8,000 pixels, as baseline 4:2:0 JPEG. @returns {Promise<string>} its path */
export async function largeMosaic() {
  const file = path.join(folder, 'mosaic-100mp.jpg');
  if (fs.existsSync(file)) return file;
  const { jpeg } = await mosaics();
  console.log('making the 100-megapixel picture …');
  const more = { right: 12_500 - size.width, bottom: 8000 - size.height };
  const large = sharp(jpeg, { limitInputPixels: false }).extend({ ...more, extendWith: 'repeat' });
  await large.jpeg({ quality: 90, chromaSubsampling: '4:2:0' }).toFile(file);
  return file;
}

/** Returns a photograph of 12 megapixels as a phone wrote it. @returns {string} */
export function realPhotograph() {
  const file = photographs().find((name) => /PXL/.test(name)) ?? photographs()[0];
  if (file === undefined) throw new Error('no photograph');
  return file;
}
