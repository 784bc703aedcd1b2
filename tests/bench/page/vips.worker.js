// Every pixel is decoded (`resize`, not `thumbnail`, which shrinks on load), on one thread, without a cache.
import Vips from '/node_modules/wasm-vips/lib/vips-es6.js';
import { answer } from './requests.js';

const loading = Vips({ dynamicLibraries: [] }).then((vips) => {
  vips.concurrency(1);
  vips.Cache.max(0);
  return vips;
});

answer(async (file, { width, type, quality }) => {
  const vips = await loading;
  const picture = vips.Image.newFromBuffer(await file.arrayBuffer(), '', { access: 'sequential' });
  const small = picture.resize(width / picture.width, { kernel: 'lanczos3' });
  const jpegOptions = { Q: quality, optimize_coding: true, subsample_mode: 'on' };
  const bytes = type === 'image/png' ? small.writeToBuffer('.png') : small.writeToBuffer('.jpg', jpegOptions);
  small.delete();
  picture.delete();
  return new Blob([bytes], { type });
});
