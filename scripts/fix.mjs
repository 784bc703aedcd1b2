// @ts-check
// `npm run fix`: runs every formatter and the safe fixes of the linters.
import { without } from './checks.mjs';
import { runSteps, summarise } from './steps.mjs';

const noComponent = 'missing in this Rust installation; rustup installs it';

summarise(
  await runSteps([
    { name: 'lint and format', run: ['biome', 'check', '--write'] },
    { name: 'style sheets', run: ['stylelint', '--allow-empty-input', '--fix', 'web/**/*.css'] },
    { name: 'types of style sheets', run: ['npm', 'run', '--silent', 'css-types'] },
    { name: 'rust format', run: ['cargo', 'fmt', '--all'], skip: without('cargo-fmt', noComponent) },
  ]),
);
