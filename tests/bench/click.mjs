// @ts-check
// Clicks for benchmarks. Playwright's locators compute the roles of all elements: that takes longer than the tasks that
// are measured, and the styles and boxes that it computes of a thousand rows outside of the screen stay in memory.
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Clicks in the middle of a button, a field or a card's title.
 * @param {import('playwright').Page} page
 * @param {string} name its text or its label; the beginning is enough
 * @param {string} [within] a selector
 */
export async function click(page, name, within = 'body') {
  const find = (/** @type {string[]} */ [wanted = '', selector = '']) => {
    const elements = document.querySelector(selector)?.querySelectorAll('button, summary, input') ?? [];
    const isWanted = (/** @type {Element} */ { ariaLabel, textContent }) =>
      (ariaLabel ?? textContent?.trim())?.startsWith(wanted);
    const found = [...elements].find((element) => isWanted(element) && element.checkVisibility());
    const box = found?.getBoundingClientRect();
    return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  let point = await page.evaluate(find, [name, within]);
  for (let i = 0; point === undefined && i < 50; i++) {
    await sleep(100);
    point = await page.evaluate(find, [name, within]);
  }
  if (point === undefined) throw new Error(`the page has no ${name}`);
  await page.mouse.click(point.x, point.y);
}
