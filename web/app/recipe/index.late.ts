// The feature's second door, for the chunk that comes later: see the queue's.

export { AdvancedFields } from './advanced-fields.tsx';
