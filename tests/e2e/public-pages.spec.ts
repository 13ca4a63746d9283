import { expect, type Page } from "@playwright/test";
import { test } from "./portal";

const PAGES = ["/", "/api-docs/errors", "/nothing-here", "/setup/ready"];

test("every public page keeps its policy, fits 360 px and loads without framework code", async ({
  browser,
  portal,
}) => {
  for (const colorScheme of ["light", "dark"] as const) {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, colorScheme });
    const page = await context.newPage();
    const violations = violationsOn(page);
    const scripts: string[] = [];
    page.on(
      "request",
      (request) => request.resourceType() === "script" && scripts.push(new URL(request.url()).pathname),
    );
    for (const path of PAGES) {
      await page.goto(portal.url + path, { waitUntil: "networkidle" });
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect(tooWide, `${path} is wider than the screen`).toBe(false);
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    }
    expect(violations).toEqual([]);
    expect(new Set(scripts)).toEqual(new Set(["/enhance.js"]));
    await context.close();
  }
});

test("every link of the public pages leads somewhere", async ({ page, portal }) => {
  const targets = new Set<string>();
  for (const path of PAGES) {
    await page.goto(portal.url + path);
    const hrefs = await page
      .locator("a[href]")
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    for (const href of hrefs) targets.add(href.split("#")[0] as string);
  }
  for (const target of targets) {
    if (target.endsWith("/nothing-here")) continue;
    expect((await page.request.get(target)).status(), target).toBe(200);
  }
});

test("the chosen colours are kept, with and without script", async ({ browser, portal }) => {
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ javaScriptEnabled, colorScheme: "light" });
    const page = await context.newPage();
    await page.goto(`${portal.url}/api-docs/errors?q=429`);
    await page.getByRole("button", { name: "Dark" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(page).toHaveURL(/q=429$/);
    await page.goto(portal.url);
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(page.getByRole("button", { name: "Dark" })).toHaveAttribute("aria-pressed", "true");
    await context.close();
  }
});

test("the error codes narrow down while one types, and by address without script", async ({ browser, portal }) => {
  const shown = (page: Page) => page.locator("[data-filter-entry]:visible").count();
  const page = await browser.newPage();
  await page.goto(`${portal.url}/api-docs/errors`);
  expect(await shown(page)).toBe(268);
  await page.getByRole("searchbox").fill("budget 429");
  await expect(page.locator("[data-filter-count]")).toHaveText("1");
  await expect(page).toHaveURL(/\?q=budget\+429$/);
  await expect(page.locator("#budget_exceeded")).toBeVisible();
  await page.getByRole("searchbox").fill("no such words");
  await expect(page.getByText("No code fits these words")).toBeVisible();
  await page.close();

  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto(`${portal.url}/api-docs/errors`);
  await plain.getByRole("searchbox").fill("budget 429");
  await plain.getByRole("button", { name: "Search" }).click();
  expect(await shown(plain)).toBe(1);
  await plain.context().close();
});

test("an unknown address says so", async ({ page, portal }) => {
  const response = await page.goto(`${portal.url}/nothing-here`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Nothing lives at this address" })).toBeVisible();
});

test("the set-up link makes the owner's account, once, without script", async ({ browser, portal }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(portal.setupUrl);
  await page.getByLabel("E-mail address").fill("not an address");
  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("Password").fill("short");
  const refused = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: "Create the account" }).click();
  expect((await refused).status()).toBe(422);
  await expect(page.getByText("Use at least 10 characters.")).toBeVisible();
  await expect(page.getByText("This does not look like an e-mail address.", { exact: false })).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Ada");
  await expect(page.getByLabel("Password")).toHaveValue("");

  await page.getByLabel("E-mail address").fill("Ada@Example.com");
  await page.getByLabel("Password").fill("several words and a half");
  await page.getByRole("button", { name: "Create the account" }).click();
  await expect(page.getByRole("heading", { name: "Your account is ready" })).toBeVisible();

  const again = await page.goto(portal.setupUrl);
  expect(again?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await page.context().close();
});

function violationsOn(page: Page): string[] {
  const violations: string[] = [];
  page.on("pageerror", (problem) => violations.push(String(problem)));
  page.on("console", (message) => {
    const expected = message.text().includes("status of 404");
    if (message.type() === "error" && !expected) violations.push(message.text());
  });
  return violations;
}
