// @ts-check
// `npm run dev`: Vite's server, which shows a change of web/ at once. Rust is built at the start; `npm run build:wasm`
// in another terminal brings a change of it in. Without the headers of a deployment: those are what `npm start` is for.
import path from 'node:path';
import { createServer } from 'vite';
import { buildWasm } from './build-wasm.mjs';
import { root } from './toolchain.mjs';

await buildWasm();
const server = await createServer({
  configFile: path.join(root, 'vite.config.ts'),
  server: { port: Number(process.env['PORT'] ?? 5173) },
});
await server.listen();
server.printUrls();
