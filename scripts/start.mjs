// @ts-check
// `npm start`: builds what has changed and serves the site like a host. PORT and HOST set the address.
import path from 'node:path';
import { buildAll } from './build.mjs';
import { serveFrom } from './serve.mjs';
import { root } from './toolchain.mjs';

await buildAll();
const wanted = Number(process.env['PORT'] ?? 4173);
const host = process.env['HOST'] ?? '127.0.0.1';
const { url, port } = await serveFrom({ root: path.join(root, 'dist/site'), port: wanted, host });
if (port !== wanted) console.log(`\nPort ${wanted} is taken.`);
console.log(`\n  The image resizer is at  ${url}\n\n  Stop it with Ctrl+C.`);
