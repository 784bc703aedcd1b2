// dist/engine through its public interface, as in its README.
import { createEngine, isFailed, jobMemory, uprightSize } from '/dist/engine/index.js';

const oneThread = createEngine({ concurrency: 1 });
const twoThreads = createEngine({ concurrency: 2 });

export const resize = (file, target) => run(oneThread, file, target);
export const encoded = (file, target) => run(oneThread, file, target, { light: 'encoded' });
export const fast = (file, target) => run(oneThread, file, target, { decoding: 'fast' });
export const inTwo = (file, target) => run(twoThreads, file, target);

async function run(engine, file, { width, height, type, quality }, { light = 'auto', decoding = 'exact' } = {}) {
  const info = ok(await engine.probe(file));
  const geometry = { crop: { x: 0, y: 0, ...uprightSize(info) }, target: { width, height }, canvas: null };
  const format = type === 'image/png' ? 'png' : 'jpeg';
  const output = { format, quality, background: [255, 255, 255] };
  const parts = [{ frame: 0, ...geometry }];
  const memory = jobMemory(info, { files: [parts], format });
  const result = await engine.run(file, {
    parts,
    kernel: 'lanczos3',
    light,
    decoding,
    output,
    metadata: 'keep-without-location',
    memory,
  });
  return ok(result).blob;
}

function ok(outcome) {
  if (isFailed(outcome)) throw new Error(`${outcome.failure.code}: ${outcome.failure.detail}`);
  return outcome;
}
