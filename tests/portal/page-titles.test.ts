import { afterAll, beforeAll, expect, test } from "vitest";
import { type Portal, startPortal } from "../support/portal";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 180_000);
afterAll(() => portal?.close());

const PAGES = [
  "/dashboard",
  "/dashboard/keys",
  "/dashboard/keys/new",
  "/dashboard/autorouter",
  "/dashboard/autorouter/dry-run",
  "/dashboard/guardrails",
  "/dashboard/qualitative",
  "/dashboard/usage",
  "/dashboard/reports",
  "/dashboard/request-log",
  "/dashboard/models",
  "/dashboard/playground",
  "/dashboard/activity",
  "/dashboard/budgets",
  "/dashboard/budgets/alerts",
  "/dashboard/settings",
  "/dashboard/get-started",
  "/dashboard/guide",
  "/dashboard/admin/users",
  "/dashboard/admin/users/invite",
  "/dashboard/admin/organisations",
  "/dashboard/admin/projects",
  "/dashboard/admin/models",
  "/dashboard/admin/models/dry-run",
  "/dashboard/admin/models/credentials",
  "/dashboard/admin/prices/import",
  "/dashboard/admin/jobs",
];

const textOf = (html: string) => html.replace(/<[^>]+>/g, "").trim();

test.each(["en", "de", "fr", "es"])("in %s, the tab of a page is named as its heading is, once", async (language) => {
  const { browser } = await portal.signInAs("owner");
  await browser.post("/set-language", { language });
  const titles = new Set<string>();
  for (const path of PAGES) {
    const html = await (await browser.get(path)).text();
    const named = [...html.matchAll(/<title>([^<]*) · gw<\/title>/g)].map(([, title]) => title);
    const heading = textOf(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? "no heading");
    expect(html, path).toContain(`<html lang="${language}"`);
    expect(named, path).toEqual([heading]);
    titles.add(heading);
  }
  expect(titles.size).toBe(PAGES.length);
});
