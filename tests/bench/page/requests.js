// Both ends of a worker that turns files into Blobs, one request at a time.

export function inWorker(url) {
  const worker = new Worker(url, { type: 'module' });
  return (file, target) =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => (data instanceof Blob ? resolve(data) : reject(new Error(data)));
      worker.onerror = (event) => reject(new Error(event.message));
      worker.postMessage({ file, target });
    });
}

export function answer(resize) {
  addEventListener('message', async ({ data: { file, target } }) => {
    try {
      postMessage(await resize(file, target));
    } catch (error) {
      postMessage(String(error));
    }
  });
}
