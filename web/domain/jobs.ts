// The core's jobs for a plan.

import { FALLBACK_FORMAT, FORMATS, type WritableFormat } from './formats.ts';
import type { Encoding, EncodingOptions, ResizeJob } from './job.ts';
import { jobMemory } from './memory.ts';
import { frameSize, type Picture, type Size } from './picture.ts';
import type { ResizePlan } from './plan.ts';
import type { Recipe } from './recipe.ts';
import { DEFAULT_FORM, type RecipeForm } from './settings.ts';
import { NO_TURN, type Turn, turnedSize } from './turns.ts';

/** Returns one job for each output file. `memory` is the limit of each job in bytes; see `memory.ts`. */
export function jobsFor(recipe: Recipe, plan: ResizePlan, memory: number): ResizeJob[] {
  const { kernel, ringing, light, decoding, sharpen, profile, metadata, density, background } = recipe;
  return plan.files.map((parts, i) => ({
    parts: [...parts],
    kernel,
    ringing,
    light,
    decoding,
    sharpen,
    profile,
    output: encodingFor(recipe, plan.each?.[i]?.format ?? plan.format),
    metadata,
    ...(density === null ? {} : { density }),
    ...(plan.each?.[i]?.isOpaque === true ? { flatten: background } : {}),
    memory,
  }));
}

/** Returns the job for a small preview of one frame, turned at its target size. It favours speed over quality. */
export function previewJob(picture: Picture, target: Size, frame = 0, turn: Turn = NO_TURN): ResizeJob {
  const format = FALLBACK_FORMAT;
  const crop = { x: 0, y: 0, ...turnedSize(frameSize(picture, frame), turn) };
  const parts = [{ frame, crop, target, canvas: null, ...(turn === NO_TURN ? {} : { turn }) }];
  const output = encodingFor({ ...DEFAULT_FORM, effort: 'fast', palette: 'exact' }, format);
  const memory = jobMemory(picture, { files: [parts], format });
  return { parts, kernel: 'bilinear', light: 'auto', decoding: 'fast', output, metadata: 'remove', memory };
}

/** Returns the format with its own options only, so that an option of another format does not change the job. */
function encodingFor(settings: Pick<RecipeForm, keyof EncodingOptions>, format: WritableFormat): Encoding {
  const { quality, lossless, background, coding, subsampling, effort, palette, compression, colors } = settings;
  const values: EncodingOptions = {
    quality: quality === 'auto' ? null : quality,
    lossless: lossless === 'yes',
    background,
    coding,
    subsampling,
    effort,
    palette,
    compression,
    colors: Number(colors),
  };
  const isOwn = ([name]: [string, unknown]) => FORMATS[format].encoder.options.some((option) => option === name);
  return { format, ...Object.fromEntries(Object.entries(values).filter(isOwn)) } as Encoding;
}
