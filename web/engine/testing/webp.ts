// Jobs that write WebP files. Every engine gives the same files. They are no rows of the golden table, because libwebp
// is not a part of the native build.

import type { Encoding, ResizeJob } from '../../domain/job.ts';

export interface WebpRow {
  readonly file: string;
  readonly job: ResizeJob;
  readonly sha256: string;
}

const lossy: Encoding = { format: 'webp', quality: 80, lossless: false };
const auto: Encoding = { ...lossy, quality: null };
const lossless: Encoding = { ...lossy, lossless: true };

type Sides = readonly [width: number, height: number];

const job = ([width, height]: Sides, [w, h]: Sides, output: Encoding, frames = 1): ResizeJob => ({
  parts: Array.from({ length: frames }, (_, frame) => ({
    frame,
    crop: { x: 0, y: 0, width, height },
    target: { width: w, height: h },
    canvas: null,
  })),
  kernel: 'lanczos3',
  light: 'auto',
  output,
  metadata: 'keep-without-location',
  memory: 256 << 20,
});

const PICTURES = 'tests/fixtures/pictures';

export const WEBP_ROWS: readonly WebpRow[] = [
  // A photograph's way: quality like the original, orientation applied.
  {
    file: `${PICTURES}/turned-6.jpg`,
    job: job([121, 160], [60, 79], auto),
    sha256: 'f504d97ccbee69ad6f7256e26fa2bab7165300905061b57d2aa18e0f12100e19',
  },
  // Another colour space, which becomes a profile: VP8X, ICCP.
  {
    file: `${PICTURES}/zone-adobe-rgb8.png`,
    job: job([160, 121], [50, 38], lossy),
    sha256: 'ec8efad5a069a59f6f659773392a55ecb38d51170ebc3864bf1d095f1c9677c1',
  },
  // Transparency: ALPH beside VP8.
  {
    file: `${PICTURES}/ghost-rgba8.png`,
    job: job([90, 70], [45, 35], lossy),
    sha256: 'dc97e16662e32d797050fddbad7ea8475b9997e30805821908e150cb90ee3b1c',
  },
  {
    file: `${PICTURES}/ghost-rgba8.png`,
    job: job([90, 70], [45, 35], lossless),
    sha256: '782bce645d3c53b96d974267a83da1417a65600825012a22e0990aab7f422877',
  },
  {
    file: `${PICTURES}/zone-rgb8.png`,
    job: job([160, 121], [200, 151], lossless),
    sha256: '1c774716fee1c2c62e828698b5360f59c9df79f020d738cadd11aa8bdc16d386',
  },
  // Three frames, transparent, of 50, 100 and 70 ms, shown three times.
  {
    file: `${PICTURES}/ball.gif`,
    job: job([24, 16], [48, 32], lossy, 3),
    sha256: '2c304918f034ee984ef51433effbeab1315abb60486b00b7b11810a6dc705976',
  },
  {
    file: `${PICTURES}/ball.gif`,
    job: job([24, 16], [12, 8], lossless, 3),
    sha256: 'e0ba9cca50315f278480d04d1e34ad1dad0e1baa0f921af1cda2a545fad6026c',
  },
];
