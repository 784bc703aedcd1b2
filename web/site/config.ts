// The configuration of a deployment. The owner of the site edits it.

import type { Locale } from './locales.ts';

export interface Analytics {
  /** The id that the analytics server receives. */
  readonly id: string;
  /** The address that receives page views: a path of this site, because the policy is `connect-src 'self'`. */
  readonly collect: `/${string}`;
}

export interface SiteConfig {
  readonly domain: string;
  /** The folder of the site without a trailing slash; empty at the root of the domain. */
  readonly basePath: '' | `/${string}`;
  readonly name: Readonly<Record<Locale, string>>;
  /** The mail address for questions. Null hides the contact line, but a public site needs an address. */
  readonly contact: string | null;
  /** The person or company that runs the site, for the privacy policy. Required for a public site. */
  readonly operator: string | null;
  /** The web host and the days that it keeps request logs, for the privacy policy. Required for a public site. */
  readonly host: { readonly name: string; readonly logDays: number } | null;
  /**
   * What opens HEIC photos. `built-in`: a module of this site decodes HEVC, everywhere; HEVC is covered by patents, and
   * whether the site needs a licence is for its owner to decide. `device`: the site contains no decoder of HEVC; HEIC
   * photos are opened where browser and device decode HEVC, and refused with advice elsewhere. Required for a public
   * site; null is `built-in`.
   */
  readonly heic: 'built-in' | 'device' | null;
  /** Null if page views are not counted; then no request is sent. */
  readonly analytics: Analytics | null;
  /** Whether the site works offline. */
  readonly serviceWorker: boolean;
}

export const site: SiteConfig = {
  domain: 'resize-images.example',
  basePath: '',
  name: { en: 'Resize Images', 'zh-CN': '调整图片大小', 'zh-TW': '調整圖片大小' },
  contact: null,
  operator: null,
  host: null,
  heic: null,
  analytics: null,
  serviceWorker: true,
};

export const origin = `https://${site.domain}`;
