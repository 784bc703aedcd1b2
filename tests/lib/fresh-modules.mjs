// @ts-check
// Runs before each file of tests. The files of a worker share its process, because starting one takes longer than most
// tests; each still gets modules of its own, some of which other files replace.
import { vi } from 'vitest';

vi.resetModules();
