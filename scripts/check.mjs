// @ts-check
// `npm run check`: every linter, formatter and licence check; changes nothing.
import { quickChecks, slowChecks } from './checks.mjs';
import { runSteps, summarise } from './steps.mjs';

summarise(await runSteps([...quickChecks, ...slowChecks]));
