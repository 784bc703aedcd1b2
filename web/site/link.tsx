// A link inside the site, which the runtime follows without leaving the document. Clicks with other buttons or modifier
// keys (new tab, download) work as usual.

import { type ComponentProps, type MouseEvent, useEffect, useRef } from 'react';
import { Visibility } from '../app/ui/index.ts';
import { hrefOf } from './runtime/paths.ts';
import { useRuntime } from './runtime-context.ts';

interface LinkProps extends Omit<ComponentProps<'a'>, 'href' | 'ref'> {
  /** A path of the site with a trailing slash. */
  readonly to: string;
}

const visibility = new Visibility();

function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

export function Link({ to, onClick, ...rest }: LinkProps) {
  const runtime = useRuntime();
  const element = useRef<HTMLAnchorElement>(null);
  const href = hrefOf(to);

  useEffect(() => {
    if (runtime === null || element.current === null) return;
    let hidden = () => {};
    const unwatch = visibility.watch(element.current, (visible) => {
      hidden();
      hidden = visible ? runtime.linkShown(href) : () => {};
    });
    return () => {
      unwatch();
      hidden();
    };
  }, [runtime, href]);

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (runtime === null || event.defaultPrevented || !isPlainClick(event)) return;
    event.preventDefault();
    void runtime.navigation.go(href);
  }

  return <a ref={element} href={href} onClick={follow} onMouseEnter={() => runtime?.linkHovered(href)} {...rest} />;
}
