// dist/engine through its public interface, as in its README.
import { createEngine, isFailed, jobMemory, uprightSize } from '/dist/engine/index.js';

const engine = createEngine();

export const resize = (file, target) => run(file, target, 'auto');
export const encoded = (file, target) => run(file, target, 'encoded');
export const fast = (file, target) => run(file, target, 'auto', 'fast');

async function run(file, { width, height, type, quality }, light, decoding = 'exact') {
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
