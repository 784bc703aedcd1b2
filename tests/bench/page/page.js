// The page of the benchmarks: one function per contender, from a file to a Blob, loaded at its first use. It is served
// without a bundler, because every contender supports that.

const contenders = {
  ours: () => import('./ours.js'),
  'ours, encoded light': () => import('./ours.js').then(({ encoded }) => ({ resize: encoded })),
  'ours, fast': () => import('./ours.js').then(({ fast }) => ({ resize: fast })),
  'ours, two threads': () => import('./ours.js').then(({ inTwo }) => ({ resize: inTwo })),
  '@jsquash': () => import('./jsquash.js'),
  pica: () => import('./pica.js'),
  'wasm-vips': () => import('./vips.js'),
  canvas: () => import('./canvas.js'),
};

const fileAt = (index) => document.getElementById('files').files[index];

/** Runs a contender and returns the milliseconds from the file to the result; `result` returns the result. */
window.timed = async (name, index, target) => {
  const { resize } = await contenders[name]();
  const started = performance.now();
  window.lastBlob = await resize(fileAt(index), target);
  return performance.now() - started;
};

/** Returns the bytes of the last result in base64. */
window.result = async () => {
  const bytes = new Uint8Array(await window.lastBlob.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
};

document.title = 'Ready';
