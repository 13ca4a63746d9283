import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, type Person, type Portal, startPortal } from "../support/portal";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 120_000);
afterAll(() => portal?.close());

const NEW_KEY = "/dashboard/keys/new";
const TYPED = { name: "Typed already", rate_limit_rpm: "77", metadata: "team=search" };

const send = (browser: Browser, fields: Record<string, string>, { to = NEW_KEY, page = NEW_KEY } = {}) =>
  browser.post(to, fields, { headers: { referer: portal.url + page } });

const endSessions = ({ userId }: Person) => portal.sql("DELETE FROM session WHERE user_id = $1", [userId]);

/** Signs a person in, in an existing browser. */
async function signIn(browser: Browser, person: Person): Promise<void> {
  const fresh = await portal.signIn(person);
  browser.cookies.set("gw_session", fresh.cookies.get("gw_session") as string);
}

const textOf = async (browser: Browser, page = NEW_KEY) => (await browser.get(page)).text();

/** Creates a person whose session has ended while a form is open. */
async function signedOutMidForm(role: "member" | "owner" = "member", page = NEW_KEY) {
  const { browser, person } = await portal.signInAs(role);
  await browser.get(page);
  await endSessions(person);
  return { browser, person };
}

describe("a form that is sent after the session has ended", () => {
  test("is given back filled in to the same person, once, and sends nothing by itself", async () => {
    const { browser, person } = await signedOutMidForm();
    const answer = await send(browser, TYPED);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/login?next=%2Fdashboard%2Fkeys%2Fnew"]);
    expect(await (await browser.follow(answer)).text()).toContain(
      "You were signed out. Sign in, and your entries come back.",
    );
    await signIn(browser, person);
    await browser.get("/dashboard");
    const text = await textOf(browser);
    for (const value of ['value="Typed already"', 'value="77"', "team=search</textarea>", "Your entries are back."])
      expect(text).toContain(value);
    expect(await portal.sql("SELECT 1 FROM api_key WHERE name = $1", [TYPED.name])).toEqual([]);
    expect(await textOf(browser)).not.toContain("Typed already");
  });

  test("is not given to anybody else, nor afterwards to its owner", async () => {
    const { browser, person } = await signedOutMidForm();
    await send(browser, TYPED);
    await signIn(browser, await portal.addPerson());
    expect(await textOf(browser)).not.toContain("Typed already");
    await signIn(browser, person);
    expect(await textOf(browser)).not.toContain("Typed already");
  });

  test("is told plainly to be lost when it is too long, or nothing was typed, or nobody was signed in", async () => {
    const { browser } = await signedOutMidForm();
    const lost: Record<string, string>[] = [{ ...TYPED, metadata: "x".repeat(5_000) }, { intent: "suspend" }];
    for (const fields of lost) {
      const answer = await send(browser, fields);
      expect(browser.cookies.has("gw_draft")).toBe(false);
      const text = await (await browser.follow(answer)).text();
      expect(text).toContain("You were signed out. Sign in to continue.");
    }
    const visitor = portal.visitor();
    const answer = await send(visitor, TYPED);
    expect([answer.status, [...visitor.cookies.keys()]]).toEqual([303, []]);
  });

  test("is lost when somebody has changed it", async () => {
    const { browser, person } = await signedOutMidForm();
    await send(browser, TYPED);
    const kept = browser.cookies.get("gw_draft") as string;
    await signIn(browser, person);
    browser.cookies.set("gw_draft", `${kept.slice(0, -4)}AAAA`);
    expect(await textOf(browser)).not.toContain("Typed already");
    browser.cookies.set("gw_draft", kept);
    expect(await textOf(browser)).toContain("Typed already");
  });

  test("keeps no password", async () => {
    const settings = "/dashboard/settings";
    const { browser, person } = await signedOutMidForm("member", settings);
    const passwords = { intent: "password", current_password: "one two three", new_password: "four five six seven" };
    await send(browser, passwords, { to: settings, page: settings });
    expect(browser.cookies.has("gw_draft")).toBe(false);
    await signIn(browser, person);
    expect(await textOf(browser, settings)).not.toContain("four five six");
  });

  test("comes back on its page when it goes to an address of its own, and programs get 401", async () => {
    const target = await portal.addPerson();
    const page = `/dashboard/admin/users/${target.userId}`;
    const { browser, person } = await signedOutMidForm("owner", page);
    const answer = await send(
      browser,
      { billing_mode: "inherit", spending_limit: "123.45", period: "monthly" },
      { to: `${page}/billing-config`, page },
    );
    expect(answer.headers.get("location")).toBe(`/login?next=${encodeURIComponent(page)}`);
    const program = await browser.post(NEW_KEY, TYPED, { json: true });
    expect([program.status, (await program.json()).code]).toEqual([401, "authentication_required"]);
    await signIn(browser, person);
    expect(await textOf(browser, page)).toContain('value="123.45"');
  });
});

test("an act that is held back leaves the form beside it, which goes to the same address, as it is", async () => {
  const { browser, person } = await portal.signInAs("platform_admin");
  const made = await browser.post("/dashboard/admin/promotions/create", {
    ...{ name: "Spring gift", amount: "5", audience: "code", limit_per_payer: "1" },
    ...{ recipient_id: "", limit_total: "", expires_at: "" },
  });
  const page = made.headers.get("location") as string;
  await portal.sql("UPDATE session SET proved_at = now() - interval '1 day' WHERE user_id = $1", [person.userId]);
  const held = await send(browser, { ended: "true" }, { to: `${page}/update`, page });
  expect(held.headers.get("location")).toContain("/account/confirm");
  const text = await textOf(browser, page);
  expect(text).toContain('value="Spring gift"');
  expect(text).not.toContain("Your entries are back.");
});

test("a form that is sent when new terms are in force comes back after accepting them", async () => {
  const { browser, person } = await portal.signInAs("member");
  await browser.get(NEW_KEY);
  await portal.sql("UPDATE app_user SET terms_version = '2000-01-01' WHERE id = $1", [person.userId]);
  const answer = await send(browser, TYPED);
  expect(answer.headers.get("location")).toBe("/account/terms?next=%2Fdashboard%2Fkeys%2Fnew");
  await browser.follow(answer);
  await portal.sql("UPDATE app_user SET terms_version = (SELECT max(terms_version) FROM app_user) WHERE id = $1", [
    person.userId,
  ]);
  expect(await textOf(browser)).toContain('value="Typed already"');
});
