// The page's half of the benchmarks: one function per contender, from a file to a Blob, loaded when first asked for.
// Served as it is, without a bundler, as every contender can be used.

const contenders = {
  ours: () => import('./ours.js'),
  'ours, encoded light': () => import('./ours.js').then(({ encoded }) => ({ resize: encoded })),
  '@jsquash': () => import('./jsquash.js'),
  pica: () => import('./pica.js'),
  'wasm-vips': () => import('./vips.js'),
  canvas: () => import('./canvas.js'),
};

const fileAt = (index) => document.getElementById('files').files[index];

/** From the file to the result, in milliseconds as the page sees them; the result stays here for `result`. */
window.timed = async (name, index, target) => {
  const { resize } = await contenders[name]();
  const started = performance.now();
  window.lastBlob = await resize(fileAt(index), target);
  return performance.now() - started;
};

/** The last result's bytes, base64. */
window.result = async () => {
  const bytes = new Uint8Array(await window.lastBlob.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
};

document.title = 'Ready';
