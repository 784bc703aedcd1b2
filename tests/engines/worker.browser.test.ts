// What the engine's worker needs of a browser, asked of the browser itself.
import { expect, test } from 'vitest';

// (module (func (export "f") (result i32) (i32x4.extract_lane 0 (v128.const i32x4 7 0 0 0))))
const simdModule = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0],
  ...[10, 25, 1, 23, 0, 253, 12, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 253, 27, 0, 11],
);

test('a module worker takes a compiled module and a file, runs SIMD and reads the file in one call', async () => {
  const source = `onmessage = ({ data }) => {
    const { exports } = new WebAssembly.Instance(data.module);
    const bytes = new FileReaderSync().readAsArrayBuffer(data.file.slice(2, 5));
    postMessage({ seven: exports.f(), bytes: [...new Uint8Array(bytes)] });
  };`;
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(url, { type: 'module' });
  const answer = await new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = reject;
    const file = new File([Uint8Array.of(1, 2, 3, 4, 5, 6)], 'six.bin');
    worker.postMessage({ module: new WebAssembly.Module(simdModule), file });
  });
  worker.terminate();
  expect(answer).toEqual({ seven: 7, bytes: [3, 4, 5] });
});
