import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Portal, startPortal } from "../../support/portal";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 120_000);
afterAll(() => portal?.close());

const status = async (browser: { getJson(path: string): Promise<Response> }) =>
  (await browser.getJson("/api/legal/status")).status;

test("a session is known by the hash of its token only", async () => {
  const { browser } = await portal.signInAs("member");
  const token = browser.cookies.get("gw_session") as string;
  const rows = await portal.sql("SELECT 1 FROM session WHERE token_hash = $1", [
    createHash("sha256").update(token).digest(),
  ]);
  expect(rows).toHaveLength(1);
  expect(await status(browser)).toBe(200);
});

test("it ends when it is 12 hours unused, when it is 14 days old, and when the person signs out", async () => {
  for (const change of ["last_seen_at = now() - interval '12 hours 1 second'", "expires_at = now()"]) {
    const { browser, person } = await portal.signInAs("member");
    await portal.sql(`UPDATE session SET ${change} WHERE user_id = $1`, [person.userId]);
    expect(await status(browser)).toBe(401);
  }
  const { browser } = await portal.signInAs("member");
  const token = browser.cookies.get("gw_session") as string;
  const out = await browser.get("/logout");
  expect([out.status, out.headers.get("location")]).toEqual([303, "/login"]);
  expect(browser.cookies.has("gw_session")).toBe(false);
  browser.cookies.set("gw_session", token);
  expect(await status(browser)).toBe(401);
});

test("a suspension, a closed account and new terms count from the next request on", async () => {
  const { browser, person } = await portal.signInAs("org_admin");
  const page = async () => (await browser.get("/dashboard/admin/users")).headers.get("location");
  const json = async () => ((await (await browser.getJson("/dashboard/admin/users")).json()) as { code: string }).code;
  const cases = [
    ["status = 'suspended'", "account_status", "/account/suspended"],
    ["status = 'archived'", "account_status", "/account/archived"],
    ["status = 'active', email_verified_at = NULL", "email_not_verified", "/verify-email"],
    [
      "email_verified_at = now(), terms_version = '2000-01-01'",
      "tos_not_accepted",
      "/account/terms?next=%2Fdashboard%2Fadmin%2Fusers",
    ],
  ];
  for (const [change, code, location] of cases) {
    await portal.sql(`UPDATE app_user SET ${change} WHERE id = $1`, [person.userId]);
    expect([await json(), await page()]).toEqual([code, location]);
  }
  await portal.sql("UPDATE app_user SET status = 'deleted' WHERE id = $1", [person.userId]);
  expect([await json(), await page()]).toEqual(["authentication_required", "/login?next=%2Fdashboard%2Fadmin%2Fusers"]);
});

test("a visitor is sent to the sign-in page and back, a program gets 401", async () => {
  const visitor = portal.visitor();
  const page = await visitor.get("/dashboard/admin/users?role=member");
  expect([page.status, page.headers.get("location")]).toEqual([
    303,
    "/login?next=%2Fdashboard%2Fadmin%2Fusers%3Frole%3Dmember",
  ]);
  const json = await visitor.getJson("/dashboard/admin/users");
  expect([json.status, (await json.json()).code]).toEqual([401, "authentication_required"]);
});

test("answers to signed-in people are kept by no cache and carry the security headers", async () => {
  const { browser } = await portal.signInAs("member");
  for (const path of ["/api/legal/status", "/", "/dashboard/nothing-here"]) {
    const { headers } = await browser.get(path);
    expect(headers.get("cache-control"), path).toContain("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  }
});
