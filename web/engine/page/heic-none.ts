// The build puts this file in the place of heic-built-in.ts for a site without a decoder of HEIC (web/site/config.ts).

import type { Assets } from './assets.ts';

export const HEIC: Assets['decoders'] = {};
