// Lets Vitest run browser tests in WebKitGTK, for which it needs only a page that can be opened and closed. Locators
// and commands do not work; such tests read the DOM themselves.
import { defineBrowserProvider } from '@vitest/browser';
import type { BrowserProvider } from 'vitest/node';
import type { EngineDriver } from './browsers.mjs';
import { findEngine } from './engines.mjs';
import { launchWebKit } from './webkit.mjs';

class WebKitProvider implements BrowserProvider {
  readonly name = 'webkitgtk';
  readonly supportsParallelism = false;
  readonly initScripts: string[] = [];
  private driver: EngineDriver | undefined;

  getCommandsContext(): Record<string, unknown> {
    return {};
  }

  async openPage(_sessionId: string, url: string): Promise<void> {
    const found = findEngine('webkit');
    if ('missing' in found) throw new Error(found.missing);
    this.driver ??= await launchWebKit(found);
    await this.driver.goto(url);
  }

  async close(): Promise<void> {
    await this.driver?.close();
    this.driver = undefined;
  }
}

export function webkitgtk() {
  return defineBrowserProvider({
    name: 'webkitgtk',
    supportedBrowser: ['webkit'],
    options: {},
    providerFactory: () => new WebKitProvider(),
  });
}
