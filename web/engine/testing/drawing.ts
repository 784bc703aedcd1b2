// A small drawing with a gradient, transparency, a stroke and text. Every engine gives the same PNG for it.

import type { ResizeJob } from '../../domain/job.ts';

export const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40">
<defs><linearGradient id="g"><stop stop-color="#c33"/><stop offset="1" stop-color="#33c"/></linearGradient></defs>
<rect width="60" height="40" fill="url(#g)"/><circle cx="30" cy="20" r="15" fill="#fff" opacity=".5"/>
<path d="M5 35Q30-20 55 35" fill="none" stroke="#000" stroke-width="3"/><text x="8" y="26" font-size="14">Size</text>
</svg>`;

const [target, memory] = [{ width: 300, height: 200 }, 256 << 20];

/** The drawing in five times its size. */
export const DRAWING_JOB: ResizeJob = {
  parts: [{ frame: 0, crop: { x: 0, y: 0, width: 60, height: 40 }, target, canvas: null }],
  kernel: 'lanczos3',
  light: 'auto',
  output: { format: 'png', effort: 'default', palette: 'exact' },
  metadata: 'remove',
  memory,
};

/** The SHA-256 of the PNG. */
export const DRAWING_SHA256 = 'a07ac0a21791bed419c4a35b6a09f00c2c56c8bbde382eb0d74615da241f5dde';
