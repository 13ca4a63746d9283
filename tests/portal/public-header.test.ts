import { afterAll, beforeAll, expect, test } from "vitest";
import { type Portal, startPortal } from "../support/portal";

let open: Portal;
let byInvitation: Portal;
beforeAll(async () => {
  open = await startPortal();
  byInvitation = await startPortal({ env: { GW_SIGNUP: "invite" } });
}, 180_000);
afterAll(async () => {
  await open?.close();
  await byInvitation?.close();
});

/** Returns the links from the header of a public page to the portal. */
async function waysIn(page: Response): Promise<string[]> {
  const header = /<header class="site-chrome[\s\S]*?<\/header>/.exec(await page.text())?.[0] ?? "";
  const paths = [...header.matchAll(/href="(\/(?:login|signup|dashboard))"/g)].map(([, path]) => path as string);
  return [...new Set(paths)];
}

test("a visitor of an open installation can sign in and up, of another one sign in only", async () => {
  expect(await waysIn(await open.visitor().get("/"))).toEqual(["/login", "/signup"]);
  expect(await waysIn(await byInvitation.visitor().get("/pricing"))).toEqual(["/login"]);
  expect(await (await byInvitation.visitor().get("/")).text()).not.toContain('href="/signup"');
});

test("somebody who is signed in goes on to the dashboard, by a page that no cache shows to anybody else", async () => {
  const { browser } = await open.signInAs("member");
  const page = await browser.get("/");
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect(page.headers.get("vary")).toContain("Cookie");
  expect(await waysIn(page)).toEqual(["/dashboard"]);
  expect(await (await browser.get("/")).text()).not.toContain('href="/signup"');
});
