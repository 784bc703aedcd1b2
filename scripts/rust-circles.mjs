// @ts-check
// Finds circles between the files of a crate by their `use` paths. Re-exports (`pub use`), comments and tests are not
// counted: a re-export passes a name on and does not need it.

/**
 * @param {string} source
 * @returns {string} the source without comments, string literals and the test module at the end
 */
function code(source) {
  const tests = source.search(/^#\[cfg\(test\)\]\n(?:pub\(crate\) )?mod \w+ \{$/m);
  const text = tests < 0 ? source : source.slice(0, tests);
  return text
    .replace(/pub\(in [^)]*\)/g, 'pub')
    .replace(/"(?:\\[\s\S]|[^"\\])*"/g, '""')
    .replace(/\/\/.*$/gm, '');
}

/**
 * @param {string} tree the inside of a `use`, such as `crate::{a, b::{c, d}}`
 * @returns {string[]} its single paths
 */
function paths(tree) {
  const open = tree.indexOf('{');
  if (open < 0) return [tree.replace(/\s+as\s+\w+$/, '').trim()];
  const [before, inside] = [tree.slice(0, open), tree.slice(open + 1, tree.lastIndexOf('}'))];
  let depth = 0;
  const parts = [''];
  for (const letter of inside) {
    depth += letter === '{' ? 1 : letter === '}' ? -1 : 0;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.filter((part) => part.trim() !== '').flatMap((part) => paths(before.trim() + part.trim()));
}

/**
 * @param {string} file a path below the `src` folder of a crate
 * @returns {string[]} the names of its module
 */
function moduleOf(file) {
  const names = file.replace(/\.rs$/, '').split('/');
  return ['lib', 'main', 'mod'].includes(names[names.length - 1] ?? '') ? names.slice(0, -1) : names;
}

/**
 * @param {string[]} module the module that contains the path
 * @param {string} used the path
 * @returns {string[] | undefined} its names from the root of the crate; nothing for the path of another crate
 */
function absolute(module, used) {
  let names = used.split('::').map((name) => name.trim());
  if (names[0] === 'crate') return names.slice(1);
  if (names[0] === 'self') return [...module, ...names.slice(1)];
  let base = module;
  if (names[0] !== 'super') return undefined;
  for (; names[0] === 'super'; names = names.slice(1)) base = base.slice(0, -1);
  return [...base, ...names];
}

/**
 * @param {Record<string, string>} sources the sources of a crate by their paths below its `src` folder
 * @returns {Map<string, Set<string>>} the files that each file uses
 */
function graph(sources) {
  const files = new Map(Object.keys(sources).map((file) => [moduleOf(file).join('::'), file]));
  const uses = new Map();
  for (const [file, source] of Object.entries(sources)) {
    const module = moduleOf(file);
    const text = code(source);
    const trees = [...text.matchAll(/^\s*use\s+([^;]+);/gm)].flatMap((match) => paths(match[1] ?? ''));
    const withoutUses = text.replace(/^\s*(?:pub(?:\([^)]*\))?\s+)?use\s+[^;]+;/gm, '');
    const inline = [...withoutUses.matchAll(/\b(?:crate|super|self)::\w+(?:::\w+)*/g)].map((match) => match[0]);
    const used = new Set();
    for (const path of [...trees, ...inline]) {
      const names = absolute(module, path);
      if (names === undefined) continue;
      // The longest beginning that is a module is the file that is used.
      for (let length = names.length; length >= 0; length -= 1) {
        const target = files.get(names.slice(0, length).join('::'));
        if (target === undefined) continue;
        if (target !== file) used.add(target);
        break;
      }
    }
    uses.set(file, used);
  }
  return uses;
}

/**
 * @param {Record<string, string>} sources the sources of a crate by their paths below its `src` folder
 * @returns {string[][]} the groups of files that use each other in a circle
 */
export function circles(sources) {
  const uses = graph(sources);
  /** @param {string} from */
  const reached = (from) => {
    const seen = new Set();
    const open = [...(uses.get(from) ?? [])];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      open.push(...(uses.get(file) ?? []));
    }
    return seen;
  };
  const reach = new Map([...uses.keys()].map((file) => [file, reached(file)]));
  const groups = new Set();
  for (const [file, seen] of reach) {
    const group = [...seen].filter((other) => reach.get(other)?.has(file)).sort();
    if (group.length > 1) groups.add(group.join(' '));
  }
  return [...groups].map((group) => group.split(' '));
}
