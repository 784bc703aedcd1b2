export { unpack } from './unpack.ts';
