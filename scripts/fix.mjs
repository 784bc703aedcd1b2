// @ts-check
// `npm run fix`: every formatter and every fix that a linter is sure of.
import { without } from './checks.mjs';
import { runSteps, summarise } from './steps.mjs';

const noComponent = 'this Rust came without it; rustup has it';

summarise(
  await runSteps([
    { name: 'lint and format', run: ['biome', 'check', '--write'] },
    { name: 'style sheets', run: ['stylelint', '--allow-empty-input', '--fix', 'web/**/*.css'] },
    { name: 'types of style sheets', run: ['npm', 'run', '--silent', 'css-types'] },
    { name: 'rust format', run: ['cargo', 'fmt', '--all'], skip: without('cargo-fmt', noComponent) },
  ]),
);
