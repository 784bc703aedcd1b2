// @ts-check
import { expect, test } from 'vitest';
import { circles } from './rust-circles.mjs';

/** @type {[string, Record<string, string>, string[][]][]} */
const table = [
  ['two files', { 'a.rs': 'use crate::b::B;', 'b.rs': 'use super::a::A;' }, [['a.rs', 'b.rs']]],
  ['a nested use', { 'a.rs': 'use crate::{c, b::{B, D}};', 'b.rs': 'use crate::a;', 'c.rs': '' }, [['a.rs', 'b.rs']]],
  ['a path in the code', { 'a.rs': 'fn f() { crate::b::g(); }', 'b.rs': 'use crate::a::f;' }, [['a.rs', 'b.rs']]],
  [
    'three files',
    { 'a.rs': 'use crate::b;', 'b.rs': 'use crate::c;', 'c.rs': 'use crate::a;' },
    [['a.rs', 'b.rs', 'c.rs']],
  ],
  ['parent and child', { 'a/mod.rs': 'use self::b::B;', 'a/b.rs': 'use super::A;' }, [['a/b.rs', 'a/mod.rs']]],
  ['one direction', { 'a.rs': 'use crate::b::B;', 'b.rs': 'use raster::a;' }, []],
  ['a re-export', { 'lib.rs': 'pub use a::A;', 'a.rs': 'use crate::B;' }, []],
  ['a test', { 'a.rs': 'use crate::b;', 'b.rs': '#[cfg(test)]\nmod tests {\n    use crate::a;\n}\n' }, []],
  ['a comment', { 'a.rs': 'use crate::b;', 'b.rs': '// see crate::a' }, []],
  ['a visibility', { 'a/mod.rs': 'use self::b::B;', 'a/b.rs': 'pub(in crate::a) struct B;' }, []],
];

test.each(table)('%s', (_, sources, expected) => {
  expect(circles(sources)).toEqual(expected);
});
