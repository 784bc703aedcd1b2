// @ts-check
// Native sharp on one thread, in a process that resize.bench.mjs pins to one core. It decodes every pixel; its default
// would let libjpeg skip data when it halves the size.
import sharp from 'sharp';

/** @typedef {import('./contest.mjs').Target} Target */

sharp.concurrency(1);
sharp.cache(false);

/** @param {{ file: string, target: Target, everyPixel?: boolean }} request */
async function resize({ file, target: { width, height, type, quality }, everyPixel = true }) {
  const started = performance.now();
  const before = process.cpuUsage();
  const options = { kernel: 'lanczos3', fit: 'fill', fastShrinkOnLoad: !everyPixel };
  const small = sharp(file).resize(width, height, /** @type {import('sharp').ResizeOptions} */ (options));
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
