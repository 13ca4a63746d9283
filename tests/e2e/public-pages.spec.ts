import { expect, type Page } from "@playwright/test";
import { PAGES_TO_FIND } from "~/routes/_public/pages-to-find";
import { enhanceAddress, test } from "./portal";

const PAGES = [...PAGES_TO_FIND, "/nothing-here"];
test("every public page keeps its policy, fits 360 px and loads without framework code", async ({
  browser,
  portal,
}) => {
  test.setTimeout(90_000);
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const violations = violationsOn(page);
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(new URL(request.url()).pathname);
  });
  for (const path of PAGES) {
    await page.goto(portal.url + path, { waitUntil: "networkidle" });
    expect(await isTooWide(page), `${path} is wider than the screen`).toBe(false);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  }
  expect(violations).toEqual([]);
  expect(new Set(scripts)).toEqual(new Set([await enhanceAddress(portal.url)]));
  await context.close();
});

test("every link of the public pages leads somewhere, and every place on a page that is linked is there", async ({
  page,
  portal,
}) => {
  test.setTimeout(120_000);
  const targets = new Set<string>();
  for (const path of PAGES) {
    await page.goto(portal.url + path);
    const hrefs = await page
      .locator("a[href]")
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    for (const href of hrefs) if (href.startsWith(portal.url)) targets.add(href);
  }
  const byPage = new Map<string, string[]>();
  for (const target of targets) {
    const [address = "", place = ""] = target.split("#");
    byPage.set(address, [...(byPage.get(address) ?? []), place].filter(Boolean));
  }
  for (const [address, places] of byPage) {
    if (address.endsWith("/nothing-here")) continue;
    const response = await page.request.get(address);
    expect(response.status(), address).toBe(200);
    if (places.length === 0) continue;
    const html = await response.text();
    const missing = places.filter((place) => !html.includes(`id="${place}"`));
    expect(missing, address).toEqual([]);
  }
});

test("every page has a head of its own, and one address", async ({ page, portal }) => {
  test.setTimeout(60_000);
  const titles: string[] = [];
  for (const path of PAGES_TO_FIND) {
    await page.goto(portal.url + path);
    titles.push(await page.title());
    const content = (selector: string) => page.locator(selector).getAttribute("content");
    expect((await content('meta[name="description"]'))?.length, path).toBeGreaterThan(40);
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", portal.url + path);
    expect(await content('meta[property="og:url"]')).toBe(portal.url + path);
    expect(await content('meta[property="og:title"]')).toBeTruthy();
  }
  expect(titles).toEqual([...new Set(titles)]);
  const sitemap = await (await page.request.get(`${portal.url}/sitemap.xml`)).text();
  const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address);
  expect(listed).toEqual(PAGES_TO_FIND.map((path) => portal.url + path));
  expect(await (await page.request.get(`${portal.url}/robots.txt`)).text()).toContain(`${portal.url}/sitemap.xml`);
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

test("models are narrowed down by address and while one types", async ({ browser, portal }) => {
  const shown = (page: Page) => page.locator("article[data-filter-entry]:visible").count();
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto(`${portal.url}/models-public`);
  const all = await shown(plain);
  await plain.getByLabel("Every capability").selectOption("chat");
  await plain.getByRole("button", { name: "Show" }).click();
  await expect(plain).toHaveURL(/capability=chat/);
  expect(await shown(plain)).toBeLessThan(all);
  await plain.goto(`${portal.url}/models-public?region=nowhere`);
  await expect(plain.getByText("No model fits.")).toBeVisible();
  await plain.context().close();

  const page = await browser.newPage();
  await page.goto(`${portal.url}/models-public`);
  await page.getByRole("searchbox").fill("embed");
  await expect(page.locator("[data-filter-count]")).toHaveText("1");
  await expect(page).toHaveURL(/\?q=embed$/);
  await page.close();
});

test("the calculator calculates without script, and keeps what it was asked in its address", async ({
  browser,
  portal,
}) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`${portal.url}/pricing`);
  await page.getByLabel("Model").selectOption("sandbox-chat");
  await page.getByLabel("Input tokens").fill("1000000");
  await page.getByLabel("Output tokens").fill("1000000");
  await page.getByLabel("Requests a day").fill("10");
  await page.getByRole("button", { name: "Calculate" }).click();
  await expect(page).toHaveURL(/model=sandbox-chat&in=1000000&cached=0&out=1000000&requests=10/);
  await expect(page.locator("#calculator")).toContainText("$20.00");
  await expect(page.locator("#calculator")).toContainText("$600.00");
  await page.goto(`${portal.url}/pricing?model=sandbox-tts&characters=1000000000&requests=x`);
  await expect(page.getByLabel("Characters")).toHaveValue("4096");
  await page.context().close();
});

test("the reference opens what its address names, finds operations, and shows examples in the chosen language", async ({
  browser,
  portal,
}) => {
  const page = await browser.newPage();
  await page.goto(`${portal.url}/api-docs#post_v1_messages`);
  const messages = page.locator("#post_v1_messages");
  await expect(messages.getByText("max_tokens", { exact: true })).toBeVisible();
  await messages.getByText("Messages SDK, Python").click();
  await expect(messages.getByText("from anthropic import Anthropic")).toBeVisible();
  await page.getByRole("searchbox").fill("rotate a key’s secret");
  await expect(page.locator("[data-filter-count]")).toHaveText("1");
  await page.close();

  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto(`${portal.url}/api-docs?q=embeddings`);
  await expect(plain.locator("[data-filter-entry]:visible")).toHaveCount(1);
  await plain.locator("summary").filter({ hasText: "/v1/embeddings" }).click();
  const embeddings = plain.locator("#post_v1_embeddings");
  await embeddings.getByText("Chat SDK, Python").click();
  await expect(embeddings.getByText("data = client.embeddings.create")).toBeVisible();
  await plain.context().close();
});

test("on a narrow screen the pages are behind a button, also without script", async ({ browser, portal }) => {
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    await page.goto(portal.url);
    const menu = page.locator(".site-menu");
    await menu.locator("summary").click();
    if (javaScriptEnabled) {
      await page.keyboard.press("Escape");
      await expect(menu.getByRole("link", { name: "Pricing" })).toBeHidden();
      await menu.locator("summary").press("Enter");
    }
    await menu.getByRole("link", { name: "Pricing" }).click();
    await expect(page).toHaveURL(`${portal.url}/pricing`);
    await context.close();
  }
});

test("on a narrow screen every price is in sight, with what it is for", async ({ browser, portal }) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await page.goto(`${portal.url}/pricing`);
  const cells = page.locator("main table td");
  const inSight = await cells.evaluateAll((all) =>
    all.map((cell) => cell.getBoundingClientRect()).filter(({ left, right }) => left >= 0 && right <= 360),
  );
  expect(inSight.length).toBeGreaterThan(10);
  expect(inSight).toHaveLength(await cells.count());
  const labels = await cells.evaluateAll((all) => all.map((cell) => getComputedStyle(cell, "::before").content));
  expect(labels).toContain('"Input, 1M tokens"');
  expect(labels.filter((label) => label === "none")).toEqual([]);
  await context.close();
});

test("pages speak the reader's language, and those that do not say so", async ({ browser, portal }) => {
  const context = await browser.newContext({ locale: "de-DE" });
  const page = await context.newPage();
  await page.goto(`${portal.url}/features`);
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expect(page.locator("main")).not.toHaveAttribute("lang");
  await expect(page).toHaveTitle("Funktionen · gw");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Was gw kann, ohne Adjektive");
  await page.goto(`${portal.url}/platform`);
  await expect(page.locator("main")).toHaveAttribute("lang", "en");
  await expect(page.getByText("Diese Seite gibt es nur auf Englisch.")).toBeVisible();
  await expect(page.locator("header").getByRole("link", { name: "Anmelden" })).toBeVisible();
  await context.close();
});

test("a legal document has its version, its contents and its siblings; an unknown version is not there", async ({
  page,
  portal,
}) => {
  await page.goto(`${portal.url}/legal/privacy`);
  const version = await page.locator("article time").getAttribute("datetime");
  await expect(page.getByRole("navigation", { name: "Versions" })).toContainText(`${version}, in force`);
  await expect(page.getByText("has not filled in", { exact: false })).toBeVisible();
  const [target] = await page.getByRole("navigation", { name: "On this page" }).locator("a").all();
  const place = (await target?.getAttribute("href"))?.slice(1);
  await expect(page.locator(`[id="${place}"]`)).toHaveCount(1);
  expect((await page.request.get(`${portal.url}/legal/privacy?version=${version}`)).status()).toBe(200);
  expect((await page.request.get(`${portal.url}/legal/privacy?version=1999-01-01`)).status()).toBe(404);
  await page.emulateMedia({ media: "print" });
  await expect(page.locator("header.site-chrome")).toBeHidden();
  await expect(page.getByRole("navigation", { name: "All documents" })).toBeHidden();
});

test("pages and files are compressed, and a file that is known is not sent again", async ({ portal }) => {
  const asking = { "accept-encoding": "br" };
  const script = await enhanceAddress(portal.url);
  for (const path of ["/", "/api-docs", "/openapi.json", script]) {
    const response = await fetch(portal.url + path, { headers: asking });
    expect(response.headers.get("content-encoding"), path).toBe("br");
    expect(response.headers.get("vary"), path).toContain("Accept-Encoding");
    expect(response.headers.get("x-content-type-options"), path).toBe("nosniff");
    expect((await response.text()).length, path).toBeGreaterThan(1_000);
  }
  // A page is not streamed, and has a Content-Length.
  for (const coding of ["br", "gzip", "identity"]) {
    const page = await fetch(`${portal.url}/api-docs`, { headers: { "accept-encoding": coding } });
    expect(Number(page.headers.get("content-length")), coding).toBeGreaterThan(1_000);
    expect(await page.text(), coding).toMatch(/<\/html>$/);
  }
  expect((await fetch(portal.url + script)).headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  for (const path of [script, "/favicon.svg", "/openapi.json"]) {
    const etag = (await fetch(portal.url + path, { headers: asking })).headers.get("etag") as string;
    const again = await fetch(portal.url + path, { headers: { ...asking, "if-none-match": etag } });
    expect(again.status, path).toBe(304);
  }
});

test("an unknown address says so", async ({ page, portal }) => {
  const response = await page.goto(`${portal.url}/nothing-here`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
});

test("the set-up link makes the owner's account, once, without script", async ({ browser, portal }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(portal.setupUrl);
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("Password").fill("password1234");
  const refused = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: "Create account" }).click();
  expect((await refused).status()).toBe(422);
  await expect(page.getByRole("alert").getByRole("link")).toHaveCount(1);
  await expect(page.getByLabel("Password")).toBeFocused();
  await expect(page.getByLabel("Email address")).toHaveValue("ada@example.com");
  await expect(page.getByLabel("Your name")).toHaveValue("Ada");
  await expect(page.getByLabel("Password")).toHaveValue("");

  await page.getByLabel("Email address").fill("Ada@Example.com");
  await page.getByLabel("Password").fill("several words and a half");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(`${portal.url}/dashboard`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  const again = await page.goto(portal.setupUrl);
  expect(again?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await page.context().close();
});

const isTooWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

function violationsOn(page: Page): string[] {
  const violations: string[] = [];
  page.on("pageerror", (problem) => violations.push(String(problem)));
  page.on("console", (message) => {
    const expected = message.text().includes("status of 404");
    if (message.type() === "error" && !expected) violations.push(message.text());
  });
  return violations;
}
