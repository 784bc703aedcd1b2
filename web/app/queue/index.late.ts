// The feature's second door, for the chunk that comes later: what is in index.ts is part of every first visit.

export { List } from './list.tsx';
