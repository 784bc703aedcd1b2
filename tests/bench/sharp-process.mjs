// @ts-check
// Native sharp on one thread, in a process that resize.bench.mjs pins to one core. It decodes every pixel: a crop to
// the whole picture keeps libjpeg from decoding at a smaller size. Without `fastShrinkOnLoad` alone, sharp still does
// so when the result is less than a quarter of the picture.
import sharp from 'sharp';

/** @typedef {import('./contest.mjs').Target} Target */

sharp.concurrency(1);
sharp.cache(false);

/** @param {{ file: string, target: Target, everyPixel?: boolean }} request */
async function resize({ file, target: { width, height, type, quality }, everyPixel = true }) {
  const started = performance.now();
  const before = process.cpuUsage();
  const options = { kernel: 'lanczos3', fit: 'fill', fastShrinkOnLoad: !everyPixel };
  const { width: columns, height: rows } = await sharp(file).metadata();
  const whole = { left: 0, top: 0, width: columns, height: rows };
  const source = everyPixel ? sharp(file).extract(whole) : sharp(file);
  const small = source.resize(width, height, /** @type {import('sharp').ResizeOptions} */ (options));
  const written = type === 'image/png' ? small.png() : small.jpeg({ quality, chromaSubsampling: '4:2:0' });
  const bytes = await written.toBuffer();
  const milliseconds = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  return { milliseconds, processor: (user + system) / 1000, bytes: bytes.toString('base64') };
}

process.on('message', (request) => {
  resize(/** @type {Parameters<typeof resize>[0]} */ (request)).then(
    (answer) => process.send?.(answer),
    (error) => process.send?.({ error: String(error) }),
  );
});
