import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type { AxeResults } from "axe-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Returns axe's serious and critical findings on the current page: one line per rule, with the first elements. */
export async function seriousProblems(page: Page): Promise<string[]> {
  // Evaluated through the debugger, so that the page's content security policy stays in effect.
  await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResults>(
    "axe.run({ resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html, failureSummary }) => `${html.slice(0, 200)} (${failureSummary})`)
          .join("; ")}`,
    );
}

/**
 * Asserts that a page is usable: it fits its width, values have room for words, no button covers code, and axe reports
 * nothing serious.
 */
export async function expectUsable(page: Page): Promise<void> {
  const tooWide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(tooWide).toBeLessThanOrEqual(0);
  expect(await brokenWords(page)).toEqual([]);
  expect(await coveredCode(page)).toEqual([]);
  expect(await seriousProblems(page)).toEqual([]);
}

/** Returns values with so little room that their words break between letters. */
const brokenWords = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("dd, td")]
      .filter(({ innerText, offsetWidth }) => offsetWidth > 0 && offsetWidth < 28 && innerText.trim().length > 6)
      .map(({ innerText, offsetWidth }) => `${innerText.slice(0, 40)}: ${offsetWidth} px`),
  );

/** Returns code blocks that a button covers. Collapsed blocks are skipped, because they still have coordinates. */
const coveredCode = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const buttons = [...document.querySelectorAll(".copy-button")]
      .filter((button) => button.checkVisibility())
      .map((button) => button.getBoundingClientRect());
    return [...document.querySelectorAll("pre")]
      .filter((pre) => {
        if (!pre.checkVisibility()) return false;
        const { left, right, top, bottom } = pre.getBoundingClientRect();
        return buttons.some(
          (at) => at.width > 0 && at.left < right && at.right > left && at.top < bottom && at.bottom > top,
        );
      })
      .map(({ id, innerText }) => id || innerText.slice(0, 40));
  });
