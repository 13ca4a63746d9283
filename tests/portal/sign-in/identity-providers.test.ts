import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../support/gateway";
import { type Account, type IdentityProvider, startIdentityProvider } from "../../support/identity-provider";
import { Browser, mailsTo, type Portal, startPortal } from "../../support/portal";

let portal: Portal;
const providers: Record<"idp-a" | "idp-b", IdentityProvider> = {} as never;

beforeAll(async () => {
  const port = await freePort();
  for (const name of ["idp-a", "idp-b"] as const) {
    const redirectUris = [`http://127.0.0.1:${port}/oauth/${name}/login/callback/`];
    providers[name] = await startIdentityProvider({ redirectUris });
  }
  const settings = (letter: "A" | "B", { issuer, clientId, clientSecret }: IdentityProvider) => ({
    [`IDP_${letter}_ISSUER`]: issuer,
    [`IDP_${letter}_CLIENT_ID`]: clientId,
    [`IDP_${letter}_CLIENT_SECRET`]: clientSecret,
    [`IDP_${letter}_LABEL`]: letter === "A" ? "Acme ID" : "Globex ID",
  });
  const env = { ...settings("A", providers["idp-a"]), ...settings("B", providers["idp-b"]) };
  portal = await startPortal({ env: { ...env, BASE_URL: `http://127.0.0.1:${port}` }, port });
}, 120_000);

afterAll(async () => {
  await portal?.close();
  for (const provider of Object.values(providers)) await provider.close();
});

let count = 0;
const someone = (more: Partial<Account> = {}): Account => {
  count += 1;
  return {
    sub: `subject-${count}`,
    email: `sso-${count}@acme.example`,
    email_verified: true,
    name: `Grace ${count}`,
    ...more,
  };
};

/** Follows the redirects to the provider and back. Returns the portal's first answer that is not part of this flow. */
async function through(browser: Browser, start: string, headers: Record<string, string> = {}): Promise<Response> {
  const atProvider = new Map<string, Browser>();
  let response = await browser.get(start, headers);
  for (let hops = 0; hops < 15; hops += 1) {
    const location = response.headers.get("location");
    if (location === null) return response;
    const target = new URL(location, portal.url);
    if (target.origin === portal.url) {
      if (!target.pathname.startsWith("/oauth/") && !target.pathname.startsWith("/auth/")) return response;
      response = await browser.get(target.pathname + target.search);
    } else {
      const other = atProvider.get(target.origin) ?? new Browser(target.origin);
      atProvider.set(target.origin, other);
      const step = await other.get(target.pathname + target.search);
      const next = step.headers.get("location");
      // Relative redirects of the provider lead to the provider.
      response = new Response(null, { status: 303, headers: { location: new URL(next ?? "/", target).href } });
    }
  }
  throw new Error("the way does not end");
}

const accountsOf = (email: string) =>
  portal.sql(
    "SELECT u.id, u.role, (SELECT count(*)::int FROM external_identity e WHERE e.user_id = u.id) AS identities FROM app_user u WHERE email = $1",
    [email],
  );

async function signUpThrough(name: "idp-a" | "idp-b", account: Account): Promise<Browser> {
  providers[name].signInAs(account);
  const browser = portal.visitor();
  await browser.post("/auth/accept-tos", { accept_terms: "on", provider: name });
  const end = await through(browser, `/auth/${name}`);
  expect([end.status, end.headers.get("location")]).toEqual([303, "/dashboard"]);
  return browser;
}

describe.each(["idp-a", "idp-b"] as const)("signing in with %s", (name) => {
  test("opens an account once the terms are accepted, and is the way in from then on", async () => {
    const account = someone();
    const browser = await signUpThrough(name, account);
    expect((await browser.getJson("/api/legal/status")).status).toBe(200);
    expect(await accountsOf(account.email as string)).toMatchObject([{ role: "org_admin", identities: 1 }]);
    const another = portal.visitor();
    const again = await through(another, `/auth/${name}?next=%2Fdashboard%2Fkeys`);
    expect(again.headers.get("location")).toBe("/dashboard/keys");
    expect((await another.getJson("/api/legal/status")).status).toBe(200);
    expect(await accountsOf(account.email as string)).toHaveLength(1);
  });

  test("without the terms leads to the sign-up page, which asks for them, and then works", async () => {
    const account = someone();
    providers[name].signInAs(account);
    const browser = portal.visitor();
    const stopped = await through(browser, `/auth/${name}?next=%2Fdashboard%2Fguide`);
    expect(stopped.headers.get("location")).toBe("/signup");
    expect(await accountsOf(account.email as string)).toEqual([]);
    const page = await (await browser.follow(stopped)).text();
    expect(page).toContain("accept the terms to create your account");
    expect(page).toContain(account.email);
    const json = await browser.post("/auth/accept-tos", { provider: name, accept_terms: true }, { json: true });
    expect(await json.json()).toMatchObject({ ok: true, next: `/auth/${name}?next=%2Fdashboard` });
    const form = await browser.post("/auth/accept-tos", {
      provider: name,
      accept_terms: "on",
      next: "/dashboard/guide",
    });
    expect(form.headers.get("refresh")).toBe(`0; url=/auth/${name}?next=%2Fdashboard%2Fguide`);
    const end = await through(browser, `/auth/${name}?next=%2Fdashboard%2Fguide`);
    expect(end.headers.get("location")).toBe("/dashboard/guide");
  });

  test("does not open an account with the same address: its owner proves it first, then both ways work", async () => {
    const person = await portal.addPerson({ email: `owned-${name}@acme.example` });
    await portal.sql(
      "UPDATE app_user SET password_hash = (SELECT password_hash FROM app_user WHERE email = 'owner@example.com') WHERE id = $1",
      [person.userId],
    );
    providers[name].signInAs(someone({ email: person.email }));
    const browser = portal.visitor();
    const stopped = await through(browser, `/auth/${name}`);
    expect(stopped.headers.get("location")).toBe("/login");
    expect((await browser.getJson("/api/legal/status")).status).toBe(401);
    expect(await (await browser.follow(stopped)).text()).toContain("to link this sign-in");
    expect(await accountsOf(person.email)).toMatchObject([{ identities: 0 }]);
    await browser.post("/auth/login", { email: person.email, password: "several words and a half" });
    expect(await accountsOf(person.email)).toMatchObject([{ identities: 1 }]);
    const another = portal.visitor();
    expect((await through(another, `/auth/${name}`)).headers.get("location")).toBe("/dashboard");
  });
});

test("an account whose address nothing has confirmed is not linked by its address; linked on purpose, it is confirmed", async () => {
  const person = await portal.addPerson({ email: "unconfirmed@acme.example", verified: false });
  await portal.sql(
    `UPDATE app_user SET vouched_at = now(),
       password_hash = (SELECT password_hash FROM app_user WHERE email = 'owner@example.com') WHERE id = $1`,
    [person.userId],
  );
  providers["idp-a"].signInAs(someone({ email: person.email }));
  const browser = portal.visitor();
  await browser.follow(await through(browser, "/auth/idp-a"));
  const signIn = { email: person.email, password: "several words and a half" };
  expect((await browser.post("/auth/login", signIn)).headers.get("location")).toBe("/dashboard");
  expect(await accountsOf(person.email)).toMatchObject([{ identities: 0 }]);
  await through(browser, "/auth/idp-a?link=1");
  expect(await accountsOf(person.email)).toMatchObject([{ identities: 1 }]);
  const [row] = await portal.sql("SELECT email_verified_at FROM app_user WHERE id = $1", [person.userId]);
  expect(row.email_verified_at).not.toBeNull();
});

describe("an answer of a provider is refused", () => {
  const refused = async (end: Response) => {
    expect([end.status, end.headers.get("location")]).toEqual([303, "/login"]);
  };

  test("when the person declines", async () => {
    providers["idp-a"].signInAs(null);
    await refused(await through(portal.visitor(), "/auth/idp-a"));
  });

  test("when the address is not confirmed there", async () => {
    const account = someone({ email_verified: false });
    providers["idp-a"].signInAs(account);
    const browser = portal.visitor();
    await browser.post("/auth/accept-tos", { accept_terms: "on", provider: "idp-a" });
    await refused(await through(browser, "/auth/idp-a"));
    expect(await accountsOf(account.email as string)).toEqual([]);
  });

  test("when there is no address", async () => {
    providers["idp-a"].signInAs(someone({ email: undefined }));
    await refused(await through(portal.visitor(), "/auth/idp-a"));
  });

  test("without a code, and in a browser that did not begin, as a program is told", async () => {
    for (const path of ["/oauth/idp-a/login/callback/", "/oauth/idp-a/login/callback/?code=x&state=y"]) {
      const answer = await portal.visitor().getJson(path);
      expect([answer.status, (await answer.json()).code]).toEqual([400, "auth_issue"]);
    }
  });

  test("when it is replayed, or taken to another browser", async () => {
    const account = someone();
    await signUpThrough("idp-a", account);
    const browser = portal.visitor();
    const started = await browser.get("/auth/idp-a");
    const before = new Map(browser.cookies);
    const idp = new Browser(providers["idp-a"].issuer);
    let target = new URL(started.headers.get("location") as string);
    while (!target.pathname.startsWith("/oauth/")) {
      const step = await idp.get(target.pathname + target.search);
      target = new URL(step.headers.get("location") as string, target);
    }
    const callback = target.pathname + target.search;
    await refused(await portal.visitor().get(callback));
    expect((await browser.get(callback)).headers.get("location")).toBe("/dashboard");
    const replay = portal.visitor();
    for (const [cookie, value] of before) replay.cookies.set(cookie, value);
    await refused(await replay.get(callback));
    expect((await replay.getJson("/api/legal/status")).status).toBe(401);
  });

  test("when it answers for another provider", async () => {
    providers["idp-a"].signInAs(someone());
    const browser = portal.visitor();
    await browser.get("/auth/idp-b");
    const started = await browser.get("/auth/idp-a");
    const state = new URL(started.headers.get("location") as string).searchParams.get("state");
    await refused(await browser.get(`/oauth/idp-b/login/callback/?code=x&state=${state}`));
  });
});

describe("linking from the settings", () => {
  test("adds a way in for the person who is signed in, when their own page asks", async () => {
    const { browser, person } = await portal.signInAs("member");
    providers["idp-b"].signInAs(someone({ email: "private@home.example" }));
    const end = await through(browser, "/auth/idp-b?link=1");
    expect(end.headers.get("location")).toBe("/dashboard/settings");
    expect(await accountsOf(person.email)).toMatchObject([{ identities: 1 }]);
    expect((await through(portal.visitor(), "/auth/idp-b")).headers.get("location")).toBe("/dashboard");
  });

  test("is told by mail, once", async () => {
    const { browser, person } = await portal.signInAs("member", { language: "fr" });
    providers["idp-b"].signInAs(someone({ email: "second@home.example" }));
    for (let count = 0; count < 2; count += 1) await through(browser, "/auth/idp-b?link=1");
    const mail = await portal.mail(person.email);
    expect(mail.subject).toContain("Globex ID liée à votre compte");
    expect(mail.text).toContain("second@home.example");
    expect(mail.text).toContain("/dashboard/settings");
    expect(await mailsTo(portal.gateway.dataDir, person.email)).toHaveLength(1);
  });

  test("asks for a recent proof", async () => {
    const { browser, person } = await portal.signInAs("member");
    await portal.sql("UPDATE session SET proved_at = now() - interval '1 hour' WHERE user_id = $1", [person.userId]);
    providers["idp-b"].signInAs(someone());
    const end = await through(browser, "/auth/idp-b?link=1");
    expect(end.headers.get("location")).toBe("/account/confirm?next=%2Fdashboard%2Fsettings");
    expect(await accountsOf(person.email)).toMatchObject([{ identities: 0 }]);
  });

  test("is not begun by another site", async () => {
    const { browser, person } = await portal.signInAs("member");
    providers["idp-b"].signInAs(someone());
    await through(browser, "/auth/idp-b?link=1", { "sec-fetch-site": "cross-site" });
    expect(await accountsOf(person.email)).toMatchObject([{ identities: 0 }]);
  });

  test("refuses what belongs to somebody else", async () => {
    const account = someone();
    await signUpThrough("idp-b", account);
    const { browser, person } = await portal.signInAs("member");
    await through(browser, "/auth/idp-b?link=1");
    expect(await accountsOf(person.email)).toMatchObject([{ identities: 0 }]);
  });
});

test("somebody without a password proves who they are at the provider, which is told to ask them", async () => {
  const account = someone();
  const browser = await signUpThrough("idp-a", account);
  await portal.sql("UPDATE app_user SET role = 'platform_admin' WHERE email = $1", [account.email]);
  await portal.sql("UPDATE session SET proved_at = now() - interval '1 hour'");
  const target = await portal.addPerson();
  const page = `/dashboard/admin/users/${target.userId}`;
  const exempt = () => browser.post(`${page}/billing-exempt`, {}, { json: true });
  expect((await exempt()).status).toBe(401);
  const text = await (await browser.get(`/account/confirm?next=${encodeURIComponent(page)}`)).text();
  expect(text).toContain("Confirm with Acme ID");
  expect(text).not.toContain("Globex ID");
  expect(text).not.toContain('type="password"');
  const start = `/auth/idp-a?next=${encodeURIComponent(page)}&confirm=1`;
  expect(text.replaceAll("&amp;", "&")).toContain(start);
  const asked = new URL((await browser.get(start)).headers.get("location") as string).searchParams;
  expect([asked.get("prompt"), asked.get("max_age")]).toEqual(["login", "0"]);
  const end = await through(browser, start);
  expect(end.headers.get("location")).toBe(page);
  expect(await (await browser.follow(end)).text()).toContain("Confirmed for 15 minutes");
  expect((await exempt()).status).toBe(200);
});

test("a suspended account is not opened by a provider either", async () => {
  const account = someone();
  await signUpThrough("idp-a", account);
  await portal.sql("UPDATE app_user SET status = 'suspended' WHERE email = $1", [account.email]);
  const browser = portal.visitor();
  expect((await through(browser, "/auth/idp-a")).headers.get("location")).toBe("/account/suspended");
  expect(browser.cookies.has("gw_session")).toBe(false);
});

test("a forgotten password of somebody who has none is answered by how they sign in", async () => {
  const account = someone();
  await signUpThrough("idp-a", account);
  await portal.visitor().post("/auth/forgot-password", { email: account.email as string });
  const mail = await portal.mail(account.email as string);
  expect(mail.text).toContain("Acme ID");
  expect(mail.text).not.toContain("/reset-password");
});
