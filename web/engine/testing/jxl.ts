// Jobs that read JPEG XL files with loss. Every engine gives the same files. They are no rows of the golden table, because
// the native decoder computes with other vectors, so that samples may differ by a level.

import type { ResizeJob } from '../../domain/job.ts';

/** A picture of 160 × 121 pixels, encoded with loss. */
export const JXL_FILE = 'tests/fixtures/pictures/zone-lossy.jxl';

/** The picture in a smaller size. */
export const JXL_JOB: ResizeJob = {
  parts: [
    {
      frame: 0,
      crop: { x: 0, y: 0, width: 160, height: 121 },
      target: { width: 59, height: 45 },
      canvas: null,
    },
  ],
  kernel: 'lanczos3',
  light: 'auto',
  output: { format: 'png', effort: 'default', palette: 'exact' },
  metadata: 'remove',
  memory: 256 << 20,
};

/** The SHA-256 of the PNG. */
export const JXL_SHA256 = '205bfc0ec87f0f7405e01632ffb90f3d533a8f9651f1115997acf56222e372c7';
