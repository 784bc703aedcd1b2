// Jobs of drawings, which another module draws for the core.

import type { ResizeJob } from '../../domain/job.ts';

/** Returns the core's job for drawings: frame `i` is the part `i`, which already has its crop and its target size. */
export function ofDrawings(job: ResizeJob): ResizeJob {
  const parts = job.parts.map(({ target, canvas, turn }, frame) => ({
    frame,
    crop: { x: 0, y: 0, ...target },
    target,
    canvas,
    ...(turn === undefined ? {} : { turn }),
  }));
  return { ...job, parts };
}
