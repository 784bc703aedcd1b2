export { Button, type ButtonTone, IconButton } from './button.tsx';
export { Choice, SelectField, TextField } from './field.tsx';
export { hidden } from './hidden.ts';
export { Icon, type IconName } from './icon.tsx';
export { Chunk, lazyChunk } from './lazy-chunk.tsx';
export { useField, useHydrated } from './live.ts';
export { LiveRegion } from './live-region.tsx';
export { ProgressBar } from './progress-bar.tsx';
export { Toasts } from './toast.tsx';
