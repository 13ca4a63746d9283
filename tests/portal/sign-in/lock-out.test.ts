import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type Browser,
  linkIn,
  mailsTo,
  OWNER_PASSWORD,
  type Person,
  type Portal,
  startPortal,
} from "../../support/portal";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal({ env: { TRUST_PROXY: "1" } });
}, 120_000);
afterAll(() => portal?.close());
beforeEach(() => portal.sql("DELETE FROM sign_in_throttle"));

/** Number of networks in use; each browser has its own network unless the test names one. */
let networks = 0;
const someNetwork = () => {
  networks += 1;
  return `10.${networks >> 8}.${networks & 255}.1`;
};
const from = (address: string) => ({ json: true, headers: { "x-forwarded-for": address } });

const login = (browser: Browser, email: string, password = OWNER_PASSWORD, address = someNetwork()) =>
  browser.post("/auth/login", { email, password }, from(address));

async function someone(fields: Parameters<Portal["addPerson"]>[0] = {}): Promise<Person> {
  const person = await portal.addPerson(fields);
  await portal.sql(
    "UPDATE app_user SET password_hash = (SELECT password_hash FROM app_user WHERE email = 'owner@example.com') WHERE id = $1",
    [person.userId],
  );
  return person;
}

/** Guesses passwords from many networks until the account is locked for unknown browsers. */
async function lockedFor(email: string): Promise<void> {
  const guesses = Array.from({ length: 12 }, (_, at) => login(portal.visitor(), email, `a guess, number ${at}`));
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(10);
}

/** Returns the visible parts of an answer, without those that change over time. */
async function seen(answer: Response) {
  const headers = [...answer.headers].filter(([name]) => !["date", "retry-after", "set-cookie"].includes(name));
  const cookies = answer.headers.getSetCookie().map((line) => line.replace(/=[^;]*/, (value) => `=${value.length}`));
  return { status: answer.status, headers, cookies, body: await answer.text() };
}

const mailCount = async (email: string) => (await mailsTo(portal.gateway.dataDir, email)).length;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("whether an address has an account", () => {
  const password = "blue tea and quiet stairs";
  const register = (browser: Browser, email: string) =>
    browser.post("/auth/register", { email, name: "A B", password, accept_terms: true }, from(someNetwork()));

  test("is not told by signing up and then signing in, in the browser that did or in another one", async () => {
    const taken = await someone({ email: "taken-address@example.com" });
    const answers = [];
    for (const email of [taken.email, "fresh-address@example.com"]) {
      const browser = portal.visitor();
      const registered = await seen(await register(browser, email));
      const elsewhere = await seen(await login(portal.visitor(), email, password));
      const here = await seen(await login(browser, email, password));
      const wrong = await seen(await login(browser, email, "something else entirely"));
      answers.push({ registered, elsewhere, here, wrong });
    }
    const told = JSON.parse(JSON.stringify(answers).replaceAll("fresh-address@", "taken-address@"));
    expect(told[1]).toEqual(told[0]);
    expect(told[0].elsewhere.status).toBe(401);
    expect([told[0].here.status, JSON.parse(told[0].here.body).code]).toEqual([403, "email_not_verified"]);
    expect(told[0].wrong.status).toBe(401);
  });

  test("is not told by the cookie of a sign-up with another address", async () => {
    const browser = portal.visitor();
    await register(browser, "mine@example.com");
    await register(portal.visitor(), "theirs@example.com");
    expect((await login(browser, "theirs@example.com", password)).status).toBe(401);
  });

  test("is not found out by signing up to get more guesses", async () => {
    const person = await someone();
    const browser = portal.visitor();
    await register(browser, person.email);
    for (let count = 0; count < 10; count += 1) await login(browser, person.email, password);
    expect((await login(portal.visitor(), person.email, "a guess")).status).toBe(429);
  });
});

describe("while strangers keep an account locked", () => {
  test("its owner signs in in a browser that knows it, even where a whole network is locked out", async () => {
    const person = await someone();
    const browser = portal.visitor();
    expect((await login(browser, person.email)).status).toBe(200);
    await browser.get("/logout");
    await lockedFor(person.email);
    const office = someNetwork();
    for (let count = 0; count < 60; count += 1)
      await login(portal.visitor(), `nobody-${count}@example.com`, "x", office);
    expect((await login(portal.visitor(), "owner@example.com", OWNER_PASSWORD, office)).status).toBe(429);
    expect((await login(browser, person.email, OWNER_PASSWORD, office)).status).toBe(200);
    const thief = portal.visitor();
    thief.cookies.set(
      "gw_known",
      (browser.cookies.get("gw_known") as string).replace(/.$/, (last) => (last === "A" ? "B" : "A")),
    );
    expect((await login(thief, person.email)).status).toBe(429);
  });

  test("a new password makes every browser a stranger again, but for the one that sets it", async () => {
    const person = await someone();
    const [here, there] = [portal.visitor(), portal.visitor()];
    for (const browser of [here, there]) await login(browser, person.email);
    const fresh = "other words and a half";
    const form = { intent: "password", current_password: OWNER_PASSWORD, new_password: fresh };
    expect((await here.post("/dashboard/settings", form, { json: true })).status).toBe(200);
    await lockedFor(person.email);
    expect((await login(there, person.email, fresh)).status).toBe(429);
    expect((await login(here, person.email, fresh)).status).toBe(200);
  });

  test("an email gets through to its owner's network, and the browser that resets is known from then on", async () => {
    const person = await someone();
    const ask = (address: string) =>
      portal.visitor().post("/auth/forgot-password", { email: person.email }, from(address));
    for (const network of [someNetwork(), someNetwork(), someNetwork()]) {
      for (let count = 0; count < 5; count += 1) expect((await ask(network)).status).toBe(200);
      expect((await ask(network)).status).toBe(429);
    }
    const before = await mailCount(person.email);
    expect((await ask(someNetwork())).status).toBe(200);
    const link = linkIn(await portal.mail(person.email, before), "/reset-password");
    const token = new URL(link, portal.url).searchParams.get("token") as string;
    const browser = portal.visitor();
    const password = "other words and a half";
    expect((await browser.post("/auth/reset-password", { token, password }, { json: true })).status).toBe(200);
    await lockedFor(person.email);
    expect((await login(browser, person.email, password)).status).toBe(200);
  });

  test("a right password gets the answer of a wrong one, and the link that finishes the sign-in by mail", async () => {
    const person = await someone();
    const nobody = "nobody-at-all@example.com";
    await lockedFor(person.email);
    await lockedFor(nobody);
    const browser = portal.visitor();
    const right = await seen(await login(browser, person.email));
    const wrong = await seen(await login(portal.visitor(), person.email, "a guess"));
    const missing = await seen(await login(portal.visitor(), nobody));
    expect(right.status).toBe(429);
    expect(wrong).toEqual(right);
    expect(missing).toEqual(right);
    expect(right.body).toContain("we've emailed you a link");

    const mail = await portal.mail(person.email);
    expect(mail.subject).toContain("Finish signing in");
    const link = linkIn(mail, "/sign-in-link");
    const token = new URL(link, portal.url).searchParams.get("token") as string;
    const opened = await browser.get(link);
    expect([opened.status, opened.headers.get("location")]).toEqual([303, "/sign-in-link"]);
    expect(browser.cookies.has("gw_session")).toBe(false);
    const page = await (await browser.follow(opened)).text();
    expect(page).toContain(person.email);
    expect(page).toContain('action="/auth/sign-in-link"');

    const other = portal.visitor();
    const otherPage = await (await other.follow(await other.get(link))).text();
    expect(otherPage).not.toContain(person.email);
    expect(otherPage).toContain("only in the browser");
    expect((await other.post("/auth/sign-in-link", { token }, { json: true })).status).toBe(401);

    const done = await browser.post("/auth/sign-in-link", { token });
    expect([done.status, done.headers.get("location")]).toEqual([303, "/dashboard"]);
    expect((await browser.getJson("/api/legal/status")).status).toBe(200);
    expect((await browser.post("/auth/sign-in-link", { token }, { json: true })).status).toBe(401);
    // This browser is now known to the account.
    expect((await login(browser, person.email)).status).toBe(200);
  });

  test("no link goes out for a wrong password, to a suspended account, or without end", async () => {
    const [person, suspended] = [await someone(), await someone({ status: "suspended" })];
    for (const { email } of [person, suspended]) await lockedFor(email);
    const network = someNetwork();
    for (let count = 0; count < 5; count += 1) await login(portal.visitor(), person.email, "a guess", network);
    await login(portal.visitor(), suspended.email);
    const sixth = await login(portal.visitor(), person.email, OWNER_PASSWORD, network);
    expect([sixth.status, await sixth.text()]).toEqual([429, expect.not.stringContaining("emailed")]);
    await pause(2_500);
    expect([await mailCount(person.email), await mailCount(suspended.email)]).toEqual([0, 0]);
  });

  test("a link ends with a new password, after a quarter of an hour, and of many at once one is taken", async () => {
    const person = await someone();
    await lockedFor(person.email);
    const browser = portal.visitor();
    const linkAfter = async (mails: number) => {
      await login(browser, person.email);
      const mail = await portal.mail(person.email, mails);
      return new URL(linkIn(mail, "/sign-in-link"), portal.url).searchParams.get("token") as string;
    };
    const use = (token: string) =>
      browser.post("/auth/sign-in-link", { token }, { json: true }).then(({ status }) => status);
    const late = await linkAfter(0);
    await portal.sql("UPDATE one_time_token SET expires_at = now() WHERE user_id = $1", [person.userId]);
    expect(await use(late)).toBe(401);
    const token = await linkAfter(1);
    const [{ stored, seconds }] = await portal.sql(
      `SELECT encode(token_hash, 'escape') AS stored, extract(epoch FROM expires_at - created_at)::int AS seconds
       FROM one_time_token WHERE user_id = $1 AND used_at IS NULL AND expires_at > now()`,
      [person.userId],
    );
    expect([stored.includes(token), seconds]).toEqual([false, 900]);
    const used = await Promise.all(Array.from({ length: 6 }, () => use(token)));
    expect(used.toSorted()).toEqual([200, ...Array(5).fill(401)]);
  });
});
