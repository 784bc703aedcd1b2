// The browser decodes and encodes; one worker resizes.
import pica from '/node_modules/pica/dist/pica.mjs';

const resizer = pica({ concurrency: 1 });

export async function resize(file, { width, height, type, quality }) {
  const picture = await createImageBitmap(file);
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  await resizer.resize(picture, canvas, { filter: 'lanczos3' });
  picture.close();
  return resizer.toBlob(canvas, type, quality / 100);
}
