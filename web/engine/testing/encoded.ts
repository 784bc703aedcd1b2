// Jobs whose files other modules write: WebP, AVIF and JPEG XL. Every engine gives the same files. They are no rows of the golden
// table, because libwebp, libavif and libjxl are not parts of the native build.

import type { Effort, Encoding, ResizeJob } from '../../domain/job.ts';

export interface EncodedRow {
  readonly file: string;
  readonly job: ResizeJob;
  readonly sha256: string;
}

const lossy: Encoding = { format: 'webp', quality: 80, lossless: false, effort: 'default' };
const auto: Encoding = { ...lossy, quality: null };
const lossless: Encoding = { ...lossy, lossless: true };
const avif = (quality: number | null, effort: Effort = 'default'): Encoding => ({ format: 'avif', quality, effort });

const jxl = (quality: number | null, effort: Effort = 'default', isLossless = false): Encoding => ({
  format: 'jxl',
  quality,
  lossless: isLossless,
  effort,
});

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

export const WEBP_ROWS: readonly EncodedRow[] = [
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
  // The greatest effort, at a quality that people cannot choose.
  {
    file: `${PICTURES}/zone-rgb8.png`,
    job: job([160, 121], [80, 60], { ...lossy, quality: 0, effort: 'smallest' }),
    sha256: '511041c12b027f38390751d9fe975cf0065d2d8fba12b0fa7b28555f179561a9',
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

export const AVIF_ROWS: readonly EncodedRow[] = [
  // A photograph's way: quality like the original, orientation applied.
  {
    file: `${PICTURES}/turned-6.jpg`,
    job: job([121, 160], [60, 79], avif(null)),
    sha256: 'aa4b3001122c5675e119f4d1bdc795486142dfaddb4d0089a8a76f9e1f5c27f7',
  },
  // Another colour space, which becomes a profile.
  {
    file: `${PICTURES}/zone-adobe-rgb8.png`,
    job: job([160, 121], [51, 39], avif(70, 'fast')),
    sha256: '7207cae0b70a41d14767bacafc96fcbe6d9bfc9d24a81b448c3b483661b01dd4',
  },
  // Transparency.
  {
    file: `${PICTURES}/ghost-rgba8.png`,
    job: job([90, 70], [45, 35], avif(60)),
    sha256: '106f9c98f137218dd6e1e0daddcce4af0281c7bcc518d4487976475afde3cdc5',
  },
  // No colour.
  {
    file: `${PICTURES}/gradient-gray.jpg`,
    job: job([99, 65], [33, 22], avif(50)),
    sha256: '654203563333a6584525cea5d2cea3860d546dcc3976ea814e9366ba8ddb1924',
  },
  // Samples of 16 bits become 10, and colour keeps its resolution.
  {
    file: `${PICTURES}/noise-rgba16.png`,
    job: job([47, 31], [94, 62], avif(95, 'smallest')),
    sha256: '505cde60d5580ed51d2cbd7ecee495a50073e3649d769077170beabd226fcf94',
  },
];

export const JXL_ROWS: readonly EncodedRow[] = [
  {
    file: `${PICTURES}/turned-6.jpg`,
    job: job([121, 160], [60, 79], jxl(null)),
    sha256: 'f43216715d8adec67d840724043c011f50a632f033d839de02d031b2164335c8',
  },
  // Another colour space becomes sRGB.
  {
    file: `${PICTURES}/zone-adobe-rgb8.png`,
    job: job([160, 121], [51, 39], jxl(90, 'fast')),
    sha256: 'a6aafa589ac47921b055ef9c9feaabc04b3802f6257db018f2fbe78380d047e9',
  },
  {
    file: `${PICTURES}/ghost-rgba8.png`,
    job: job([90, 70], [45, 35], jxl(null, 'default', true)),
    sha256: '40a2e87fec881eacfd52117b571b9a169bd56a6ef83c4c80a2c2400396a865b1',
  },
  // No colour, and no loss.
  {
    file: `${PICTURES}/gradient-gray.jpg`,
    job: job([99, 65], [33, 22], jxl(null, 'smallest', true)),
    sha256: 'e7ba02674bd570e3fa3aaa21b5dec80e3792eeaea2f338b38abfb8d2afebe896',
  },
];

export const ENCODED_ROWS: readonly EncodedRow[] = [...WEBP_ROWS, ...AVIF_ROWS, ...JXL_ROWS];
