import { FORMATS } from '../../domain/formats.ts';
import type { ResizeJob } from '../../domain/job.ts';
import type { DecoderOptions } from './core-types.ts';

/** Returns what a decoder outside the core's worker decodes for a job. */
export function decoderOptions({ parts, output, memory }: ResizeJob): DecoderOptions {
  const gainMap = parts.length === 1 && FORMATS[output.format].encoder?.holdsGainMap === true;
  return { gainMap, memory };
}
