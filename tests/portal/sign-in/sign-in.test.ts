import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, linkIn, mailsTo, OWNER_PASSWORD, type Portal, startPortal } from "../../support/portal";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 120_000);
afterAll(() => portal?.close());

const OWNER = "owner@example.com";
const login = (browser: Browser, fields: object) => browser.post("/auth/login", fields, { json: true });

/** Creates a person with the owner's password, whose hash already exists. */
async function withPassword(fields: Parameters<Portal["addPerson"]>[0] = {}) {
  const person = await portal.addPerson(fields);
  await portal.sql(
    "UPDATE app_user SET password_hash = (SELECT password_hash FROM app_user WHERE email = $1) WHERE id = $2",
    [OWNER, person.userId],
  );
  return person;
}

describe("signing in", () => {
  test("by a form leads to the page that was asked for, by JSON it says where to go", async () => {
    const browser = portal.visitor();
    const form = { email: " Owner@Example.com ", password: OWNER_PASSWORD, next: "/dashboard/keys?status=active" };
    const answer = await browser.post("/auth/login", form);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/dashboard/keys?status=active"]);
    expect(await (await login(portal.visitor(), { email: OWNER, password: OWNER_PASSWORD })).json()).toEqual({
      ok: true,
      next: "/dashboard",
    });
  });

  test("gives the browser a new session each time and ends the one it had", async () => {
    const browser = portal.visitor();
    browser.cookies.set("gw_session", "planted-by-somebody-else");
    await login(browser, { email: OWNER, password: OWNER_PASSWORD });
    const first = browser.cookies.get("gw_session") as string;
    expect(first).not.toBe("planted-by-somebody-else");
    await login(browser, { email: OWNER, password: OWNER_PASSWORD });
    expect(browser.cookies.get("gw_session")).not.toBe(first);
    const old = portal.visitor();
    old.cookies.set("gw_session", first);
    expect((await old.getJson("/api/legal/status")).status).toBe(401);
  });

  test("sets a cookie that scripts cannot read and other sites do not send", async () => {
    const answer = await login(portal.visitor(), { email: OWNER, password: OWNER_PASSWORD });
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith("gw_session="));
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax/);
  });

  test.each(["//evil.test", "https://evil.test", "/\\evil.test", "javascript:alert(1)", "/%0d%0aset-cookie:x"])(
    "never leads to %s",
    async (next) => {
      const answer = await portal.visitor().post("/auth/login", { email: OWNER, password: OWNER_PASSWORD, next });
      expect(new URL(answer.headers.get("location") as string, portal.url).origin).toBe(portal.url);
    },
  );
});

describe("without the right password", () => {
  test("an account that exists and one that does not get the same answer", async () => {
    const passwordless = await portal.addPerson();
    const answers = await Promise.all(
      [OWNER, passwordless.email, "nobody@example.com"].map((email) =>
        login(portal.visitor(), { email, password: "something else entirely" }),
      ),
    );
    const seen = await Promise.all(
      answers.map(async (answer) => [answer.status, await answer.text(), answer.headers.getSetCookie()]),
    );
    expect(seen[0]?.[0]).toBe(401);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
  });

  test("a browser finds its address filled in again", async () => {
    const browser = portal.visitor();
    const refused = await browser.post("/auth/login", { email: "nobody2@example.com", password: "x" });
    expect(refused.headers.get("location")).toBe("/login");
    const page = await (await browser.follow(refused)).text();
    expect(page).toContain('value="nobody2@example.com"');
    expect(page).toContain("is incorrect");
  });

  test("guessing ends after ten attempts, for known and unknown accounts alike, and says when to come back", async () => {
    const person = await withPassword();
    for (const email of [person.email, "guessed@example.com"]) {
      const guesses = await Promise.all(
        Array.from({ length: 24 }, (_, at) => login(portal.visitor(), { email, password: `guess number ${at}` })),
      );
      const statuses = guesses.map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(14);
      const locked = await login(portal.visitor(), { email, password: OWNER_PASSWORD });
      expect(locked.status).toBe(429);
      expect(Number(locked.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      await portal.sql("UPDATE sign_in_throttle SET locked_until = NULL WHERE subject LIKE 'sign_in:address:%'");
    }
    await portal.sql("DELETE FROM sign_in_throttle");
  });
});

describe("an account that may not go on", () => {
  test.each([
    ["suspended", "/account/suspended"],
    ["archived", "/account/archived"],
  ] as const)("because it is %s gets no session", async (status, page) => {
    const { email } = await withPassword({ status });
    const json = await login(portal.visitor(), { email, password: OWNER_PASSWORD });
    expect([json.status, (await json.json()).code]).toEqual([403, "account_status"]);
    const browser = portal.visitor();
    const form = await browser.post("/auth/login", { email, password: OWNER_PASSWORD });
    expect(form.headers.get("location")).toBe(page);
    expect(browser.cookies.has("gw_session")).toBe(false);
    expect((await browser.get(page)).status).toBe(200);
  });

  test("because its address waits for its confirmation is told so, to the right password in its browser only", async () => {
    const form = { email: "waiting@example.com", name: "W", password: "blue tea and quiet stairs", accept_terms: "on" };
    const browser = portal.visitor();
    await browser.post("/auth/register", form);
    const right = await login(browser, { email: form.email, password: form.password });
    expect([right.status, (await right.json()).code]).toEqual([403, "email_not_verified"]);
    for (const [elsewhere, password] of [
      [browser, "something else entirely"],
      [portal.visitor(), form.password],
    ] as const) {
      const refused = await login(elsewhere, { email: form.email, password });
      expect([refused.status, (await refused.json()).code]).toEqual([401, "invalid_credentials"]);
    }
    const answer = await browser.post("/auth/login", { email: form.email, password: form.password });
    expect(answer.headers.get("location")).toBe("/verify-email");
    expect(await (await browser.follow(answer)).text()).toContain(form.email);
  });

  test("because of new terms can accept them and nothing else", async () => {
    const { browser } = await portal.signInAs("member", { terms: false });
    expect(await (await browser.getJson("/api/legal/status")).json()).toMatchObject({ ok: true, accepted: false });
    const blocked = await browser.getJson("/dashboard");
    expect([blocked.status, (await blocked.json()).code]).toEqual([403, "tos_not_accepted"]);
    expect((await browser.get("/dashboard")).headers.get("location")).toBe("/account/terms?next=%2Fdashboard");
    expect(await (await browser.get("/account/terms?next=%2Fdashboard")).text()).toContain("Accept and continue");
    const stale = await browser.post("/api/legal/accept", { version: "2001-01-01" }, { json: true });
    expect(stale.status).toBe(409);
    const done = await browser.post("/api/legal/accept", { next: "/dashboard/keys" });
    expect(done.headers.get("location")).toBe("/dashboard/keys");
    expect(await (await browser.getJson("/api/legal/status")).json()).toMatchObject({ ok: true, accepted: true });
  });
});

describe("a forgotten password", () => {
  const ask = (email: string) => portal.visitor().post("/auth/forgot-password", { email }, { json: true });
  const tokenTo = async (email: string, after = 0) =>
    new URL(linkIn(await portal.mail(email, after), "/reset-password"), portal.url).searchParams.get("token") as string;

  test("is replaced by a link, which works once, ends every session and every other link", async () => {
    const { person, browser } = await portal.signInAs("member");
    expect(await (await ask(person.email)).json()).toEqual({ ok: true, email: person.email });
    const first = await tokenTo(person.email);
    await ask(person.email);
    const second = await tokenTo(person.email, 1);
    const password = "quite another set of words";
    const reset = (token: string) => portal.visitor().post("/auth/reset-password", { token, password }, { json: true });
    expect((await reset(first)).status).toBe(401);
    const tries = await Promise.all(Array.from({ length: 8 }, () => reset(second)));
    expect(tries.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(401)]);
    expect((await browser.getJson("/api/legal/status")).status).toBe(401);
    expect((await login(portal.visitor(), { email: person.email, password })).status).toBe(200);
    const told = (await mailsTo(portal.gateway.dataDir, person.email)).map(({ subject }) => subject);
    expect(told).toContainEqual(expect.stringContaining("was changed"));
  });

  test("of somebody who is not there, suspended or without a password is answered the same", async () => {
    const suspended = await withPassword({ status: "suspended" });
    const answers = await Promise.all(["no-one@example.com", suspended.email].map(ask));
    for (const answer of answers) expect(answer.status).toBe(200);
    expect(await mailsTo(portal.gateway.dataDir, "no-one@example.com")).toEqual([]);
    expect(await mailsTo(portal.gateway.dataDir, suspended.email)).toEqual([]);
  });

  test("link keeps its token out of the address, and a weak password leaves it usable", async () => {
    const person = await withPassword();
    await ask(person.email);
    const token = await tokenTo(person.email);
    const browser = portal.visitor();
    const moved = await browser.get(`/reset-password?token=${token}`);
    expect([moved.status, moved.headers.get("location")]).toEqual([303, "/reset-password"]);
    expect(await (await browser.get("/reset-password")).text()).toContain("Choose a new password");
    const weak = await browser.post(
      "/auth/reset-password",
      { token, password: "password123" },
      { headers: { referer: `${portal.url}/reset-password` } },
    );
    expect(weak.headers.get("location")).toBe("/reset-password");
    expect(await (await browser.follow(weak)).text()).toContain("This password is too common");
    const strong = await browser.post("/auth/reset-password", { token, password: "a lamp below the harbour" });
    expect(strong.headers.get("location")).toBe("/login");
    expect(await (await browser.follow(strong)).text()).toContain("Password saved");
  });

  test("link never takes its address from the request's headers", async () => {
    const person = await withPassword();
    await portal
      .visitor()
      .post("/auth/forgot-password", { email: person.email }, { headers: { "x-forwarded-host": "evil.test" } });
    const { text } = await portal.mail(person.email);
    expect(text).not.toContain("evil.test");
  });
});

test("nothing secret is printed", async () => {
  expect(portal.gateway.output()).not.toContain(OWNER_PASSWORD);
  expect(portal.gateway.output()).not.toMatch(/token=[\w-]{20,}/);
});
