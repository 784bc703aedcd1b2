// The resizer's own defaults: Lanczos 3 in linear light. The JPEG encoder's, but for one scan instead of a progressive
// file, which the others write too; mozjpeg's trellis quantisation cannot be switched off through this interface.
import decodeJpeg from '/node_modules/@jsquash/jpeg/decode.js';
import encodeJpeg from '/node_modules/@jsquash/jpeg/encode.js';
import decodePng from '/node_modules/@jsquash/png/decode.js';
import encodePng from '/node_modules/@jsquash/png/encode.js';
import resize from '/node_modules/@jsquash/resize/index.js';
import { answer } from './requests.js';

const jpegOptions = { progressive: false, auto_subsample: false, chroma_subsample: 2 };

answer(async (file, { width, height, type, quality }) => {
  const bytes = await file.arrayBuffer();
  const picture = await (file.type === 'image/png' ? decodePng(bytes) : decodeJpeg(bytes));
  const small = await resize(picture, { width, height, method: 'lanczos3' });
  const encoded = await (type === 'image/png' ? encodePng(small) : encodeJpeg(small, { ...jpegOptions, quality }));
  return new Blob([encoded], { type });
});
