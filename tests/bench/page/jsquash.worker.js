// The defaults of the resizer: Lanczos 3 in linear light. The defaults of the JPEG encoder, except for one scan instead
// of a progressive file, as the other contenders write it. This interface cannot switch off mozjpeg's trellis
// quantisation.
import decodeAvif from '/node_modules/@jsquash/avif/decode.js';
import decodeJpeg from '/node_modules/@jsquash/jpeg/decode.js';
import encodeJpeg from '/node_modules/@jsquash/jpeg/encode.js';
import decodeJxl from '/node_modules/@jsquash/jxl/decode.js';
import decodePng from '/node_modules/@jsquash/png/decode.js';
import encodePng from '/node_modules/@jsquash/png/encode.js';
import resize from '/node_modules/@jsquash/resize/index.js';
import { answer } from './requests.js';
// Classic scripts that define globals: UTIF, and before it the library with which it inflates.
import '/node_modules/pako/dist/pako.min.js';
import '/node_modules/utif/UTIF.js';

function decodeTiff(bytes) {
  const { UTIF } = self;
  const [page] = UTIF.decode(bytes);
  UTIF.decodeImage(bytes, page);
  return new ImageData(new Uint8ClampedArray(UTIF.toRGBA8(page).buffer), page.width, page.height);
}

const decoders = {
  png: decodePng,
  tif: decodeTiff,
  jpg: decodeJpeg,
  avif: decodeAvif,
  jxl: decodeJxl,
};

const jpegOptions = { progressive: false, auto_subsample: false, chroma_subsample: 2 };

answer(async (file, { width, height, type, quality }) => {
  const bytes = await file.arrayBuffer();
  const picture = await decoders[file.name.split('.').at(-1)](bytes);
  const small = await resize(picture, { width, height, method: 'lanczos3' });
  const encoded = await (type === 'image/png' ? encodePng(small) : encodeJpeg(small, { ...jpegOptions, quality }));
  return new Blob([encoded], { type });
});
