// The page with the pseudo-locale, whose words are longer, to find clipped texts. `npm run check` includes it.
import { describe, expect, test } from 'vitest';
import { pseudo } from '../../scripts/locales.mjs';
import { readMessages } from '../../scripts/messages.mjs';
import { once } from './in-engines.ts';
import { open } from './site.ts';

/** Returns texts that are clipped by their box, and whether the page scrolls sideways. */
function clipped(): string[] {
  const cut = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
    const { overflowX, clipPath } = getComputedStyle(element);
    const hidden = overflowX !== 'visible' && clipPath === 'none' && element.tagName !== 'INPUT';
    return hidden && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1;
  });
  const { scrollWidth, clientWidth } = document.documentElement;
  return [
    ...cut.map((element) => `${element.tagName} ${element.className}: ${element.textContent?.slice(0, 60)}`),
    ...(scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide in ${clientWidth}`] : []),
  ];
}

describe('pseudo-locale', () => {
  once(
    (fixture) => {
      test.each([320, 390, 700, 1280])('longer words are not clipped, %d pixels wide', async (width) => {
        await fixture.driver.resize(width, 800);
        const words = Object.entries(readMessages('en')).map(([key, text]) => [key, JSON.parse(pseudo(text))]);
        const { queries } = await (await fetch(`${fixture.site.url}/page-data/en/page-data.json`)).json();
        await open(fixture.driver, `${fixture.site.url}/privacy-policy/`);
        const body = JSON.stringify(Object.fromEntries(words));
        fixture.site.fault(`/sq/d/${queries.en.messages}.json`, { status: 200, body });
        await fixture.driver.click('header a');
        await fixture.driver.waitForText('main h1', 'Öñlíñé');
        expect(await fixture.driver.eval(clipped)).toEqual([]);
        await fixture.driver.resize(1280, 900);
      });
    },
    { engines: ['chromium'] },
  );
});
