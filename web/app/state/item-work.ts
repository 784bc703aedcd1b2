// The work of a run on one item: from its plan to its final phase.

import type { ResizeJob } from '../../domain/job.ts';
import type { KeptPlan, Plan, ResizePlan } from '../../domain/plan.ts';
import type { Recipe } from '../../domain/recipe.ts';
import type { Engine, Failure, ImageInfo, Outcome } from '../../engine/index.ts';
import { isFailed } from '../../engine/lazy.ts';
import type { Item, OutputFile, Phase } from './item.ts';
import { jobsOf, ownRecipe, planFailure, planOf, resultKeyOf } from './item-plan.ts';

export interface ItemWork {
  readonly item: Item;
  readonly info: ImageInfo;
  /** The recipe with the choices for this item. */
  readonly recipe: Recipe;
  readonly plan: Plan;
  readonly resultKey: string;
}

export interface WorkOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/** Returns the work for an item whose header has been read. */
export function workFor(item: Item, recipe: Recipe): ItemWork {
  const plan = planOf(item, recipe);
  if (plan === null || item.info === null)
    throw new Error(`item ${item.id} cannot run before its header has been read`);
  return { item, info: item.info, recipe: ownRecipe(item, recipe), plan, resultKey: resultKeyOf(item, recipe) };
}

/** Returns the number of frames, pages or sizes that the engine makes. */
export function imagesOf({ plan }: ItemWork): number {
  return plan.kind === 'resize' ? plan.files.flat().length : 1;
}

/** Returns the final phase if it follows from the plan alone; null if the engine has work to do. */
export function phaseByPlan({ item, plan, resultKey }: ItemWork): Phase | null {
  switch (plan.kind) {
    case 'resize':
      return null;
    case 'kept':
      return isAsItIs(plan) ? asItIs(plan, resultKey) : null;
    case 'too-long':
    case 'huge':
      // An existing result stays, so that a mistyped size does not lose it.
      if (item.phase.phase === 'done') return item.phase;
      return { phase: 'failed', failure: planFailure(plan), resultKey };
  }
}

/** Whether the bytes of the original are the result. */
function isAsItIs({ rewriteMetadata, density }: KeptPlan): boolean {
  return rewriteMetadata === null && density === undefined;
}

/** Returns the phase of an item whose bytes are the result. */
function asItIs({ reason }: KeptPlan, resultKey: string): Phase {
  return { phase: 'kept', reason, rewrittenFor: null, resultKey, result: null };
}

/** Runs the work in the engine and resolves to the final phase. */
export function phaseByEngine(engine: Engine, work: ItemWork, options: WorkOptions): Promise<Phase> {
  const { plan } = work;
  if (plan.kind === 'resize') return resize(engine, work, plan, options);
  if (plan.kind === 'kept') return keep(engine, work, plan, options);
  throw new Error(`a plan of kind ${plan.kind} has no work for the engine`);
}

async function resize(engine: Engine, work: ItemWork, plan: ResizePlan, options: WorkOptions): Promise<Phase> {
  const { item, info, recipe, resultKey } = work;
  const { signal, onProgress } = options;
  const { turnedCopy } = plan;
  if (turnedCopy !== undefined) {
    const copy = await engine.rewriteMetadata(item.file, turnedCopy, { signal });
    if (!isRefused(copy)) return phaseOf([copy], [{ frame: 0, turn: turnedCopy.turn }], resultKey);
  }
  const jobs = jobsOf(recipe, plan, info, item.hasNoMemoryLimit);
  const fractions = jobs.map(() => 0);
  const run = runnerFor(engine, item.file, plan);
  const runs = jobs.map((job, i) =>
    run(job, {
      signal,
      onProgress: (fraction) => {
        fractions[i] = fraction;
        onProgress(fractions.reduce((sum, part) => sum + part, 0) / jobs.length);
      },
    }),
  );
  const outcomes = await Promise.all(runs);
  const phase = phaseOf(
    item.hasNoMemoryLimit ? outcomes.map(withoutLimit) : outcomes,
    jobs.map(({ parts: [part] }, i) => ({
      frame: part?.frame ?? 0,
      ...nameOf(plan, i),
      ...(part?.turn === undefined ? {} : { turn: part.turn }),
    })),
    resultKey,
  );
  const { original } = plan;
  if (original === undefined || phase.phase !== 'done' || bytesOf(phase.outputs) < item.file.size) return phase;
  if (isAsItIs(original)) return asItIs(original, resultKey);
  const copy = await rewriteMetadata(engine, item.file, original, options);
  return isRefused(copy) ? phase : copiedPhase(copy, original, resultKey);
}

/** The failures of a copy after which the image is encoded anew: only some files are turned or relabelled without loss. */
const CANNOT_COPY: ReadonlySet<Failure['code']> = new Set(['unsupported', 'malformed', 'memory']);

function isRefused(copy: Copied): boolean {
  return isFailed(copy) && CANNOT_COPY.has(copy.failure.code);
}

/** Takes the numbers out of a lack of memory without a limit, because then they do not explain it. */
function withoutLimit(outcome: Ran): Ran {
  if (!isFailed(outcome) || outcome.failure.code !== 'memory') return outcome;
  return { failure: { ...outcome.failure, have: 0 } };
}

function nameOf({ each }: ResizePlan, file: number): Pick<OutputFile, 'name'> {
  const name = each?.[file]?.name;
  return name === undefined ? {} : { name };
}

type Ran = Outcome<Omit<OutputFile, 'frame'>>;
type Runner = (job: ResizeJob, options: WorkOptions) => Promise<Ran>;

/** Returns what runs the jobs of a plan. Few visitors limit the size of files, so that code is loaded when needed. */
function runnerFor(engine: Engine, file: File, { maxBytes }: ResizePlan): Runner {
  if (maxBytes === undefined) {
    return (job, { signal, onProgress }) =>
      engine.run(file, job, { signal, onProgress: ({ fraction }) => onProgress(fraction) });
  }
  return async (job, options) => {
    try {
      const { runWithin } = await import('./run-within.ts');
      return runWithin(engine, file, job, maxBytes, options);
    } catch (error) {
      return { failure: { code: 'part-missing', detail: String(error) } };
    }
  };
}

function bytesOf(outputs: readonly OutputFile[]): number {
  return outputs.reduce((sum, { blob }) => sum + blob.size, 0);
}

/**
 * Returns `done` if at least one output succeeded; the first output then has a warning with the number of failed ones.
 */
function phaseOf(
  outcomes: readonly Outcome<Omit<OutputFile, 'frame'>>[],
  sources: readonly Pick<OutputFile, 'frame' | 'turn' | 'name'>[],
  resultKey: string,
): Phase {
  const [first, ...more] = outcomes.flatMap((outcome, i): OutputFile[] =>
    isFailed(outcome) ? [] : [{ ...outcome, frame: 0, ...sources[i] }],
  );
  if (first !== undefined) {
    const skipped = outcomes.length - 1 - more.length;
    const output = skipped === 0 ? first : withSkipped(first, skipped, outcomes.length);
    return { phase: 'done', outputs: [output, ...more], resultKey, saved: false };
  }
  const failed = outcomes.find(isFailed);
  if (failed === undefined) throw new Error('a plan has no files');
  return { phase: 'failed', failure: failed.failure, resultKey };
}

function withSkipped(output: OutputFile, skipped: number, of: number): OutputFile {
  return { ...output, warnings: [...output.warnings, { code: 'frames-skipped', skipped, of }] };
}

type Copied = Awaited<ReturnType<Engine['rewriteMetadata']>>;

/** Makes the original with other metadata, or what is made instead if the file does not allow that or becomes too long. */
async function keep(engine: Engine, work: ItemWork, plan: KeptPlan, options: WorkOptions): Promise<Phase> {
  const copy = await rewriteMetadata(engine, work.item.file, plan, options);
  const { otherwise } = plan;
  // Metadata that were compressed are not any more.
  const isTooLong = !isFailed(copy) && copy.byteLength > (otherwise?.maxBytes ?? Number.POSITIVE_INFINITY);
  if (otherwise !== undefined && (isTooLong || isRefused(copy))) return resize(engine, work, otherwise, options);
  return copiedPhase(copy, plan, work.resultKey);
}

function rewriteMetadata(
  engine: Engine,
  file: File,
  { rewriteMetadata: policy, density }: KeptPlan,
  { signal }: WorkOptions,
): Promise<Copied> {
  const changes = { policy: policy ?? 'keep', ...(density === undefined ? {} : { density }) } as const;
  return engine.rewriteMetadata(file, changes, { signal });
}

function copiedPhase(copy: Copied, { reason, rewriteMetadata: policy }: KeptPlan, resultKey: string): Phase {
  if (isFailed(copy)) return { phase: 'failed', failure: copy.failure, resultKey };
  return { phase: 'kept', reason, rewrittenFor: policy, resultKey, result: copy };
}
