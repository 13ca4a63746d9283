import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type OAuth2StandIn, startOAuth2Provider } from "../../support/oauth2-provider";
import { type Browser, type Portal, startPortal } from "../../support/portal";

let portal: Portal;
let provider: OAuth2StandIn;

/** Provider A reports the address and whether it is verified; B lists addresses, as GitHub does. */
beforeAll(async () => {
  provider = await startOAuth2Provider();
  const env = {
    ...provider.settings("A"),
    IDP_A_SUBJECT_FIELD: "data.id",
    IDP_A_EMAIL_FIELD: "data.email",
    IDP_A_EMAIL_VERIFIED_FIELD: "data.verified",
    IDP_A_NAME_FIELD: "data.display_name",
    ...provider.settings("B"),
    IDP_B_EMAILS_URL: `${provider.origin}/user/emails`,
    IDP_B_EMAIL_VERIFIED_FIELD: "verified",
  };
  portal = await startPortal({ env });
}, 120_000);
afterAll(async () => {
  await portal?.close();
  await provider?.close();
});
beforeEach(() => provider.say({}));

let count = 0;
const someone = (more: object = {}) => {
  count += 1;
  return { id: count, email: `octo-${count}@acme.example`, verified: true, display_name: "Ada Octo", ...more };
};
type Profile = ReturnType<typeof someone>;

/** Goes to the provider with accepted terms. Returns the browser and the provider's redirect back. */
async function leave(start = "/auth/idp-a", answer?: (honest: { code: string; state: string }) => object) {
  const browser = portal.visitor();
  await browser.post("/auth/accept-tos", { accept_terms: "on", provider: "idp-a" });
  const begun = await browser.get(start);
  const location = begun.headers.get("location") as string;
  const back = provider.visit(location);
  const honest = Object.fromEntries(back.searchParams) as { code: string; state: string };
  if (answer) back.search = new URLSearchParams(answer(honest) as Record<string, string>).toString();
  return { browser, callback: back.pathname + back.search };
}

async function signUp(profile: Profile): Promise<Browser> {
  provider.say({ profile: { data: profile } });
  const { browser, callback } = await leave();
  expect((await browser.get(callback)).headers.get("location")).toBe("/dashboard");
  return browser;
}

const isSignedIn = async (browser: Browser) => (await browser.getJson("/api/legal/status")).status === 200;
const identitiesOf = (email: string) =>
  portal.sql(
    "SELECT e.provider, e.issuer, e.subject FROM external_identity e JOIN app_user u ON u.id = e.user_id WHERE u.email = $1",
    [email],
  );

test("an honest answer opens an account, and signs in from then on", async () => {
  const profile = someone();
  await signUp(profile);
  expect(Object.fromEntries(provider.asked())).toMatchObject({
    response_type: "code",
    client_id: provider.clientId,
    scope: "read:user user:email",
    tenant: "one",
    code_challenge_method: "S256",
    redirect_uri: `${portal.url.replace("127.0.0.1", "localhost")}/oauth/idp-a/login/callback/`,
  });
  expect(await identitiesOf(profile.email)).toEqual([
    { provider: "idp-a", issuer: `${provider.origin}/user#data.id`, subject: String(profile.id) },
  ]);
  const [row] = await portal.sql("SELECT name FROM app_user WHERE email = $1", [profile.email]);
  expect(row.name).toBe("Ada Octo");
  const again = await leave("/auth/idp-a?next=%2Fdashboard%2Fkeys");
  expect((await again.browser.get(again.callback)).headers.get("location")).toBe("/dashboard/keys");
  expect(await isSignedIn(again.browser)).toBe(true);
});

describe("the list of addresses, where there is one,", () => {
  const back = async (emails: object) => {
    const { id } = someone();
    provider.say({ profile: { id, email: "public@acme.example", name: "Ada" }, emails });
    const { browser, callback } = await leave("/auth/idp-b");
    await browser.get(callback);
    return isSignedIn(browser);
  };

  test("names the person's own address and whether it is verified", async () => {
    const other = { email: "other@acme.example", primary: false, verified: true };
    expect(await back([other, { email: "Primary@acme.example", primary: true, verified: true }])).toBe(true);
    expect(await identitiesOf("primary@acme.example")).toHaveLength(1);
    expect(await identitiesOf("public@acme.example")).toEqual([]);
  });

  test.each([
    ["that is not verified", [{ email: "p1@acme.example", primary: true, verified: false }]],
    [
      "beside another that is",
      [
        { email: "p2@acme.example", primary: true },
        { email: "p3@acme.example", verified: true },
      ],
    ],
    ["that is empty", []],
    ["that is no list", { email: "p4@acme.example", verified: true }],
  ])("signs nobody in by an address %s", async (_, emails) => {
    expect(await back(emails)).toBe(false);
  });
});

describe("nobody is signed in by", () => {
  const PROFILES: [string, object][] = [
    ["an unverified address", { verified: false }],
    ["an address that it says nothing about", { verified: undefined }],
    ["a word instead of a confirmation", { verified: "yes" }],
    ["a number instead of a confirmation", { verified: 1 }],
    ["the owner's address", { email: "owner@example.com" }],
    ["no address", { email: null }],
    ["a list for an address", { email: ["a@b.example"] }],
    ["no subject", { id: undefined }],
    ["an empty subject", { id: "" }],
    ["a subject with a space in it", { id: "1 2" }],
    ["a truth value for a subject", { id: true }],
    ["an object for a subject", { id: { of: 1 } }],
    ["a subject beyond exact numbers", { id: 2 ** 53 }],
  ];
  test.each(PROFILES)("%s", async (_, more) => {
    provider.say({ profile: { data: someone(more) } });
    const { browser, callback } = await leave();
    expect((await browser.get(callback)).headers.get("location")).toMatch(/^\/login$/);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test.each([
    ["a profile of another shape", { profile: someone() }],
    ["a profile that is a list", { profile: [someone()] }],
    ["a profile that is no JSON", { profile: "is no JSON" as const }],
    ["a profile that is elsewhere", { profile: "redirects" as const }],
    ["a huge profile", { profile: "is huge" as const }],
    ["a provider that fails", { profile: "fails" as const }],
    ["a token that is no JSON", { token: "is no JSON" as const }],
    ["a huge token", { token: "is huge" as const }],
    ["a token that is elsewhere", { token: "redirects" as const }],
    ["an error for a token", { token: { error: "invalid_grant" } }],
    ["no token", { token: { token_type: "bearer" } }],
    ["a token that is no text", { token: { access_token: 7, token_type: "bearer" } }],
    ["a token with a line in it", { token: { access_token: "a\r\nx-b: c", token_type: "bearer" } }],
    ["a token of another kind", { token: { access_token: "t", token_type: "mac" } }],
  ])("%s", async (_, said) => {
    provider.say({ profile: { data: someone() }, ...said });
    const { browser, callback } = await leave();
    expect((await browser.get(callback)).headers.get("location")).toBe("/login");
    expect(await isSignedIn(browser)).toBe(false);
  });

  test("an answer that does not come", async () => {
    for (const said of [{ token: "hangs" as const }, { profile: "hangs" as const }]) {
      provider.say(said);
      const { browser, callback } = await leave();
      const answer = await browser.getJson(callback);
      expect([answer.status, (await answer.json()).code]).toEqual([503, "service_unavailable"]);
    }
  }, 60_000);

  test.each([
    ["another state", (honest: object) => ({ ...honest, state: "another" })],
    ["no state", ({ code }: { code: string }) => ({ code })],
    ["an empty state", (honest: object) => ({ ...honest, state: "" })],
    ["no code", ({ state }: { state: string }) => ({ state })],
    ["another code", (honest: object) => ({ ...honest, code: "another" })],
    ["an error", ({ state }: { state: string }) => ({ state, error: "access_denied" })],
    ["an error beside a code", (honest: object) => ({ ...honest, error: "access_denied" })],
  ])("%s", async (_, change) => {
    provider.say({ profile: { data: someone() } });
    const before = provider.exchanged();
    const { browser, callback } = await leave("/auth/idp-a", change as never);
    const answer = await browser.get(callback);
    expect(answer.headers.get("location")).toBe("/login");
    expect(await isSignedIn(browser)).toBe(false);
    expect(provider.exchanged()).toBe(before);
  });

  test("another browser's answer, or the same answer again", async () => {
    provider.say({ profile: { data: someone() } });
    const { browser, callback } = await leave();
    const foreign = portal.visitor();
    expect((await (await foreign.getJson(callback)).json()).code).toBe("auth_issue");
    const another = await leave();
    await another.browser.get(callback);
    expect(await isSignedIn(another.browser)).toBe(false);
    const before = new Map(browser.cookies);
    expect((await browser.get(callback)).headers.get("location")).toBe("/dashboard");
    expect((await (await browser.getJson(callback)).json()).code).toBe("auth_issue");
    const replay = portal.visitor();
    for (const [cookie, value] of before) replay.cookies.set(cookie, value);
    await replay.get(callback);
    expect(await isSignedIn(replay)).toBe(false);
  });

  test("a code that another browser has left with", async () => {
    provider.say({ profile: { data: someone() } });
    const stolen = await leave();
    const code = new URL(stolen.callback, portal.url).searchParams.get("code") as string;
    const { browser, callback } = await leave("/auth/idp-a", ({ state }) => ({ state, code }));
    await browser.get(callback);
    expect(await isSignedIn(browser)).toBe(false);
  });
});

describe("an account that is there already", () => {
  async function personWithPassword(email: string) {
    const person = await portal.addPerson({ email });
    await portal.sql(
      "UPDATE app_user SET password_hash = (SELECT password_hash FROM app_user WHERE email = 'owner@example.com') WHERE id = $1",
      [person.userId],
    );
    return person;
  }

  test.each([
    ["verified", true, 1],
    ["unverified", false, 0],
  ])("is linked by its %s address after its owner has signed in: %s", async (word, verified, identities) => {
    const { email } = await personWithPassword(`owned-${word}@acme.example`);
    provider.say({ profile: { data: someone({ email, verified }) } });
    const { browser, callback } = await leave();
    const stopped = await browser.get(callback);
    expect(stopped.headers.get("location")).toBe("/login");
    expect(await isSignedIn(browser)).toBe(false);
    await browser.post("/auth/login", { email, password: "several words and a half" });
    expect(await isSignedIn(browser)).toBe(true);
    expect(await identitiesOf(email)).toHaveLength(identities);
  });

  test("is linked on purpose by an unverified address, which confirms nothing", async () => {
    const { browser, person } = await portal.signInAs("member", { email: "on-purpose@acme.example", verified: false });
    await portal.sql("UPDATE app_user SET vouched_at = now() WHERE id = $1", [person.userId]);
    provider.say({ profile: { data: someone({ email: person.email, verified: false }) } });
    const begun = await browser.get("/auth/idp-a?link=1");
    const back = provider.visit(begun.headers.get("location") as string);
    await browser.get(back.pathname + back.search);
    expect(await identitiesOf(person.email)).toHaveLength(1);
    const [row] = await portal.sql("SELECT email_verified_at FROM app_user WHERE id = $1", [person.userId]);
    expect(row.email_verified_at).toBeNull();
  });
});

describe("a recent proof", () => {
  test("is not what such a provider can give, so the page offers a password instead", async () => {
    const profile = someone();
    const browser = await signUp(profile);
    const password = { intent: "password", new_password: "quite another set of words" };
    expect((await browser.post("/dashboard/settings", password, { json: true })).status).toBe(401);
    const page = await (await browser.get("/account/confirm?next=%2Fdashboard%2Fsettings")).text();
    expect(page).not.toContain("Confirm with Octo A");
    expect(page).toContain('href="/forgot-password"');
    const start = await browser.get("/auth/idp-a?confirm=1", { accept: "application/json" });
    expect((await start.json()).code).toBe("auth_issue");
    await browser.post("/auth/forgot-password", { email: profile.email });
    expect((await portal.mail(profile.email)).text).toContain("/reset-password?token=");
  });
});

test("no code, token or secret is printed", () => {
  expect(portal.gateway.output()).not.toMatch(/token-[0-9a-f]{10}|a secret: with/);
});
