// The browser alone, at its best quality.
import { answer } from './requests.js';

answer(async (file, { width, height, type, quality }) => {
  const picture = await createImageBitmap(file);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, width, height);
  picture.close();
  return canvas.convertToBlob({ type, quality: quality / 100 });
});
