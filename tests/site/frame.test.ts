// The frame of every page, in real engines: theme and languages. The titles begin with the features of the site's plan.
import { describe, expect, test } from 'vitest';
import { type Fixture, inEngines, once } from './in-engines.ts';
import { isMarked, mark, open, pause } from './site.ts';

const isDark = ({ driver }: Fixture) => driver.eval(() => document.documentElement.classList.contains('dark'));

inEngines('blocking scripts, keys and focus', (fixture) => {
  const here = () => fixture.driver.eval(() => location.pathname);

  describe('theme toggle', () => {
    test('set before first paint: the class is set although no script file has loaded', async () => {
      await fixture.driver.goto(`${fixture.site.url}/page-data/app-data.json`);
      await fixture.driver.eval(() => localStorage.setItem('theme', 'dark'));
      fixture.site.fault('/assets/client', { status: 404 });
      await fixture.driver.goto(`${fixture.site.url}/en/`);
      expect(await isDark(fixture)).toBe(true);
      expect(await fixture.driver.eval(() => performance.getEntriesByName('site:alive').length)).toBe(0);
    });
  });

  describe('language dropdown', () => {
    const button = 'header button[aria-haspopup=menu]';
    const active = () =>
      fixture.driver.eval(() => {
        const menu = document.querySelector('[role=menu]');
        return document.getElementById(menu?.getAttribute('aria-activedescendant') ?? '')?.textContent ?? null;
      });
    const isOpen = () => fixture.driver.eval(() => document.querySelector('[role=menu]') !== null);
    const focusButton = () =>
      fixture.driver.eval(() => document.querySelector<HTMLElement>('header button[aria-haspopup=menu]')?.focus());
    const menuFocused = () => fixture.driver.waitFor(() => document.activeElement?.getAttribute('role') === 'menu', []);
    const buttonFocused = () =>
      fixture.driver.eval(() => document.activeElement?.getAttribute('aria-haspopup') === 'menu');

    test('keyboard: opens at the first or last enabled entry, moves, wraps, closes, returns the focus', async () => {
      await open(fixture.driver, `${fixture.site.url}/zh-CN/`);
      for (const [key, first] of [
        ['Enter', 'English'],
        ['Space', 'English'],
        ['ArrowDown', 'English'],
        ['ArrowUp', '繁體中文'],
      ] as const) {
        await focusButton();
        await fixture.driver.press(key);
        await menuFocused();
        expect(await active()).toBe(first);
        expect(
          await fixture.driver.eval(
            (selector: string) => document.querySelector(selector)?.getAttribute('aria-expanded'),
            button,
          ),
        ).toBe('true');
        await fixture.driver.press('Escape');
        expect([await isOpen(), await buttonFocused()]).toEqual([false, true]);
      }
      await fixture.driver.press('Enter');
      await menuFocused();
      const path: [string, string][] = [
        ['ArrowDown', '繁體中文'],
        ['ArrowDown', 'English'],
        ['ArrowUp', '繁體中文'],
        ['Home', 'English'],
        ['End', '繁體中文'],
        ['PageUp', 'English'],
        ['PageDown', '繁體中文'],
      ];
      for (const [key, entry] of path) {
        await fixture.driver.press(key);
        expect([key, await active()]).toEqual([key, entry]);
      }
      await fixture.driver.press('Tab');
      expect(await isOpen()).toBe(true);
      await menuFocused();
      await fixture.driver.press('e');
      expect(await active()).toBe('English');
      await pause(500);
      await fixture.driver.press('Enter');
      await fixture.driver.waitForText('main h1', 'Resize Images Online');
      expect([await here(), await isOpen(), await buttonFocused()]).toEqual(['/en/', false, true]);
    });

    test('pointer: entries are links, the current one is disabled, and a click outside closes the menu', async () => {
      await open(fixture.driver, `${fixture.site.url}/en/`);
      await mark(fixture.driver);
      await fixture.driver.click(button);
      expect(
        await fixture.driver.eval(() =>
          [...document.querySelectorAll('[role=menuitem]')].map((entry) => [
            entry.textContent,
            entry.getAttribute('lang'),
            entry.getAttribute('href'),
            entry.getAttribute('aria-disabled'),
          ]),
        ),
      ).toEqual([
        ['English', 'en', null, 'true'],
        ['简体中文', 'zh-CN', '/zh-CN/', null],
        ['繁體中文', 'zh-TW', '/zh-TW/', null],
      ]);
      await fixture.driver.click('main h1');
      await fixture.driver.waitFor(() => document.querySelector('[role=menu]') === null, []);
      await fixture.driver.click(button);
      await fixture.driver.click('[role=menuitem][lang=zh-TW]');
      await fixture.driver.waitForText('main h1', '線上調整圖片大小');
      expect(await fixture.driver.eval(() => document.documentElement.lang)).toBe('zh-TW');
      expect([await here(), await isMarked(fixture.driver)]).toEqual(['/zh-TW/', true]);
    });
  });
});

once((fixture) => {
  const toggle = 'header button[aria-pressed]';

  test('theme toggle: light by default; each click switches and stores `theme`, which a reload uses', async () => {
    await open(fixture.driver, `${fixture.site.url}/en/`);
    expect([await isDark(fixture), await fixture.driver.eval(() => localStorage.getItem('theme'))]).toEqual([
      false,
      null,
    ]);
    await fixture.driver.click(toggle);
    expect([await isDark(fixture), await fixture.driver.eval(() => localStorage.getItem('theme'))]).toEqual([
      true,
      'dark',
    ]);
    await fixture.driver.goto(`${fixture.site.url}/privacy-policy/`);
    expect(await isDark(fixture)).toBe(true);
    await fixture.driver.waitFor(
      () => document.querySelector('header button')?.getAttribute('aria-pressed') === 'true',
      [],
    );
    await fixture.driver.click(toggle);
    expect([await isDark(fixture), await fixture.driver.eval(() => localStorage.getItem('theme'))]).toEqual([
      false,
      'light',
    ]);
  });
});
