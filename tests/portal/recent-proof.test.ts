import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, OWNER_PASSWORD, type Person, type Portal, startPortal } from "../support/portal";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 120_000);
afterAll(() => portal?.close());

/** An owner with a password who signed in long ago, and somebody to act on. */
async function aStaleOwner() {
  const { browser, person } = await portal.signInAs("owner");
  await portal.sql(
    "UPDATE app_user SET password_hash = (SELECT password_hash FROM app_user WHERE email = 'owner@example.com') WHERE id = $1",
    [person.userId],
  );
  await age(person);
  const target = await portal.addPerson();
  return { browser, person, target, page: `/dashboard/admin/users/${target.userId}` };
}

const age = (person: Person, minutes = 16) =>
  portal.sql("UPDATE session SET proved_at = now() - make_interval(mins => $2::int) WHERE user_id = $1", [
    person.userId,
    minutes,
  ]);

const from = (page: string) => ({ headers: { referer: portal.url + page } });

const confirm = (browser: Browser, password: string, next: string) =>
  browser.post("/account/confirm", { password, next });

const rowOf = async ({ userId }: Person) =>
  (await portal.sql("SELECT billing_exempt, billing_mode, status FROM app_user WHERE id = $1", [userId]))[0];

/** Every act that asks for a proof, on a person and on two organisations. */
async function actsOn(target: Person): Promise<[path: string, fields: Record<string, string>][]> {
  const [keep, gone] = [await portal.addOrganisation(), await portal.addOrganisation()];
  const user = `/dashboard/admin/users/${target.userId}`;
  return [
    [`${user}/billing-exempt`, { billing_exempt: "true" }],
    [`${user}/credit-limit`, { credit_limit: "5" }],
    [`${user}/billing-config`, { billing_mode: "own", spending_limit: "9" }],
    ["/dashboard/admin/organisations/merge", { target_org_id: String(keep), source_org_ids: String(gone) }],
    [`/dashboard/admin/organisations/${keep}`, { billing_exempt: "true" }],
    ["/dashboard/admin/organisations", { name: "Exempt Ltd", billing_exempt: "true" }],
    [`${user}/hard-delete`, { confirm: target.email }],
  ];
}

describe("sixteen minutes after signing in", () => {
  test("a program gets 401 and a sentence that says what to do, and nothing is done", async () => {
    const { browser, target } = await aStaleOwner();
    const before = await rowOf(target);
    for (const [path, fields] of await actsOn(target)) {
      const answer = await browser.post(path, fields, { json: true });
      const { code, human_message: human } = await answer.json();
      expect([path, answer.status, code]).toEqual([path, 401, "authentication_required"]);
      expect(human).toContain("/account/confirm");
    }
    expect(await rowOf(target)).toEqual(before);
    expect((await browser.getJson("/dashboard/keys")).status).toBe(200);
  });

  test("a browser is sent to confirm, and finds nothing done and the way back to its page", async () => {
    const { browser, target, page } = await aStaleOwner();
    const before = await rowOf(target);
    for (const [path, fields] of await actsOn(target)) {
      const sent = await browser.post(path, fields, from(`${page}?x=1`));
      const next = encodeURIComponent(`${page}?x=1`);
      expect([path, sent.status, sent.headers.get("location")]).toEqual([path, 303, `/account/confirm?next=${next}`]);
    }
    expect(await rowOf(target)).toEqual(before);
    const text = await (await browser.get(`/account/confirm?next=${encodeURIComponent(page)}`)).text();
    expect(text).toContain("Confirm that it is you");
    expect(text).toContain(`value="${page}"`);
  });

  test("acts that ask for nothing go on", async () => {
    const { browser, page, target } = await aStaleOwner();
    expect((await browser.post(`${page}/status`, { status: "suspended" }, { json: true })).status).toBe(200);
    const limit = { billing_mode: "inherit", spending_limit: "9" };
    expect((await browser.post(`${page}/billing-config`, limit, { json: true })).status).toBe(200);
    const name = { name: "Renamed", billing_exempt: "false" };
    const path = `/dashboard/admin/organisations/${await portal.addOrganisation()}`;
    expect((await browser.post(path, name, { json: true })).status).toBe(200);
    expect((await rowOf(target)).status).toBe("suspended");
  });
});

describe("after confirming", () => {
  test("the page says to repeat the act, and it works, for a quarter of an hour", async () => {
    const { browser, person, target, page } = await aStaleOwner();
    const answer = await confirm(browser, OWNER_PASSWORD, page);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, page]);
    expect(await (await browser.follow(answer)).text()).toContain("please do it again now");
    for (const [path, fields] of await actsOn(target)) {
      const done = await browser.post(path, fields, { json: true });
      expect([path, done.status]).toEqual([path, 200]);
    }
    expect((await rowOf(target)).status).toBe("deleted");
    await age(person, 14);
    const another = await portal.addPerson();
    const exempt = () => browser.post(`/dashboard/admin/users/${another.userId}/billing-exempt`, {}, { json: true });
    expect((await exempt()).status).toBe(200);
    await age(person, 16);
    expect((await exempt()).status).toBe(401);
  });

  test("the session goes on under another token; a copy of the one before is signed out", async () => {
    const { browser, page } = await aStaleOwner();
    const copy = portal.visitor();
    copy.cookies.set("gw_session", browser.cookies.get("gw_session") as string);
    const answer = await browser.post("/account/confirm", { password: OWNER_PASSWORD, next: page }, { json: true });
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true, location: page }]);
    expect((await browser.getJson("/dashboard/keys")).status).toBe(200);
    expect((await copy.getJson("/dashboard/keys")).status).toBe(401);
  });
});

describe("a confirmation is refused", () => {
  test("with a wrong password, on the page and for programs, and proves nothing", async () => {
    const { browser, page } = await aStaleOwner();
    const here = `/account/confirm?next=${encodeURIComponent(page)}`;
    const wrong = await browser.post(here, { password: "something else entirely", next: page });
    expect(wrong.status).toBe(401);
    const text = await wrong.text();
    expect(text).toContain("That is not your password.");
    expect(text).toContain(`value="${page}"`);
    const json = await browser.post("/account/confirm", { password: "something else" }, { json: true });
    expect([json.status, (await json.json()).code]).toEqual([401, "invalid_credentials"]);
    const empty = await browser.post("/account/confirm", {}, { json: true });
    expect([empty.status, (await empty.json()).detail[0].loc]).toEqual([422, ["body", "password"]]);
    expect((await browser.post(`${page}/billing-exempt`, {}, { json: true })).status).toBe(401);
  });

  test("after too many attempts, which count as attempts to sign in", async () => {
    const { browser, person } = await aStaleOwner();
    for (let count = 0; count < 10; count += 1) await confirm(browser, "something else entirely", "/dashboard");
    const answer = await browser.post("/account/confirm", { password: OWNER_PASSWORD }, { json: true });
    expect([answer.status, (await answer.json()).code]).toEqual([429, "rate_limit_exceeded"]);
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    const fields = { email: person.email, password: OWNER_PASSWORD };
    expect((await portal.visitor().post("/auth/login", fields, { json: true })).status).toBe(429);
  });

  test("to a visitor, who is sent to sign in", async () => {
    const page = await portal.visitor().get("/account/confirm?next=%2Fdashboard");
    expect(page.headers.get("location")).toBe("/login?next=%2Faccount%2Fconfirm%3Fnext%3D%252Fdashboard");
    const answer = await portal.visitor().post("/account/confirm", { password: OWNER_PASSWORD }, { json: true });
    expect(answer.status).toBe(401);
  });

  test("and never leads to another site", async () => {
    const { browser } = await aStaleOwner();
    const answer = await confirm(browser, OWNER_PASSWORD, "https://evil.test/");
    expect(answer.headers.get("location")).toBe("/dashboard");
    expect(await (await browser.get("/account/confirm?next=%2F%2Fevil.test")).text()).not.toContain("evil.test");
  });
});

test("another role ends the sessions of whoever gets it", async () => {
  const { browser } = await portal.signInAs("owner");
  const member = await portal.signInAs("member");
  const path = `/dashboard/admin/users/${member.person.userId}/role`;
  expect((await browser.post(path, { role: "org_admin" }, { json: true })).status).toBe(200);
  expect((await member.browser.getJson("/dashboard/keys")).status).toBe(401);
});
