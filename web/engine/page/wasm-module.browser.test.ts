// Loading a module: streaming if the server sends its media type, otherwise from an ArrayBuffer.
import { expect, test } from 'vitest';
import { WasmModule } from './wasm-module.ts';

/** The smallest module: the magic word and version 1. */
const EMPTY_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

function urlOf(bytes: Uint8Array<ArrayBuffer>, type: string): string {
  return URL.createObjectURL(new Blob([bytes], { type }));
}

test.each(['application/wasm', 'application/octet-stream', ''])('a module of type %j compiles', async (type) => {
  expect(await new WasmModule(urlOf(EMPTY_MODULE, type)).load()).toBeInstanceOf(WebAssembly.Module);
});

test('a module is compiled once', async () => {
  const core = new WasmModule(urlOf(EMPTY_MODULE, 'application/wasm'));
  expect(await core.load()).toBe(await core.load());
});

test.each([
  ['an address that answers 404', `/there/is/no/core-${Date.now()}.wasm`],
  ['an HTML page instead of the core', urlOf(new TextEncoder().encode('<!doctype html>'), 'application/wasm')],
  ['half a core', urlOf(EMPTY_MODULE.slice(0, 6), 'application/wasm')],
])('%s is a missing part', async (_, url) => {
  expect(await new WasmModule(url).load()).toMatchObject({ failure: { code: 'part-missing' } });
});

test('a failure is not cached', async () => {
  const bytes = urlOf(EMPTY_MODULE, 'application/wasm');
  const { fetch } = globalThis;
  const core = new WasmModule(bytes);
  globalThis.fetch = () => Promise.reject(new TypeError('offline'));
  try {
    expect(await core.load()).toMatchObject({ failure: { code: 'part-missing' } });
  } finally {
    globalThis.fetch = fetch;
  }
  expect(await core.load()).toBeInstanceOf(WebAssembly.Module);
});

test('a browser that must not compile WebAssembly gives wasm-unavailable', async () => {
  const { compile } = WebAssembly;
  WebAssembly.compile = () => Promise.reject(new WebAssembly.CompileError('blocked by the policy'));
  try {
    const outcome = await new WasmModule(urlOf(EMPTY_MODULE, 'application/wasm')).load();
    expect(outcome).toMatchObject({ failure: { code: 'wasm-unavailable' } });
  } finally {
    WebAssembly.compile = compile;
  }
});
