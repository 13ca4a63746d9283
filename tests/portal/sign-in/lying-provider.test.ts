import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Lie, startLyingProvider } from "../../support/lying-provider";
import { type Browser, type Portal, startPortal } from "../../support/portal";

const CLIENT = "gw-portal";
let portal: Portal;
let provider: Awaited<ReturnType<typeof startLyingProvider>>;

beforeAll(async () => {
  provider = await startLyingProvider(CLIENT);
  const env = { IDP_A_ISSUER: provider.issuer, IDP_A_CLIENT_ID: CLIENT, IDP_A_CLIENT_SECRET: "a-client-secret" };
  portal = await startPortal({ env });
}, 120_000);
afterAll(async () => {
  await portal?.close();
  await provider?.close();
});

/** Returns from the provider with accepted terms. Resolves with true if this signed the person in. */
async function comeBack(
  lie: Lie,
  change: (answer: { state: string; code: string }) => Record<string, string> = (a) => a,
) {
  const browser = portal.visitor();
  await browser.post("/auth/accept-tos", { accept_terms: "on", provider: "idp-a" });
  const begun = await browser.get("/auth/idp-a");
  provider.tell(lie);
  const answer = change(provider.visit(begun.headers.get("location") as string));
  await browser.get(`/oauth/idp-a/login/callback/?${new URLSearchParams(answer)}`);
  return (await browser.getJson("/api/legal/status")).status === 200;
}

const now = () => Math.floor(Date.now() / 1000);

test("an honest answer signs in, and the code is exchanged by who has begun", async () => {
  expect(await comeBack({})).toBe(true);
  expect(provider.pkceHeld()).toBe(true);
});

const LIES: [string, Lie][] = [
  ["another nonce", { claims: { nonce: "another" } }],
  ["no nonce", { claims: { nonce: undefined } }],
  ["another audience", { claims: { aud: "somebody-else" } }],
  ["several audiences without saying for whom", { claims: { aud: [CLIENT, "somebody-else"] } }],
  ["several audiences, for somebody else", { claims: { aud: [CLIENT, "somebody-else"], azp: "somebody-else" } }],
  ["another issuer", { claims: { iss: "https://other.example" } }],
  ["no issuer", { claims: { iss: undefined } }],
  ["an expired token", { claims: { exp: 1_000_000 } }],
  ["a token without an end", { claims: { exp: undefined } }],
  ["a token that is not valid yet", { claims: { nbf: now() + 3_600 } }],
  ["no subject", { claims: { sub: undefined } }],
  ["an empty subject", { claims: { sub: "" } }],
  ["a subject of spaces", { claims: { sub: "  " } }],
  ["a subject that is a number", { claims: { sub: 7 } }],
  ["a subject that is a list", { claims: { sub: ["u1"] } }],
  ["a subject beyond 255 characters", { claims: { sub: "u".repeat(256) } }],
  ["a foreign signature", { foreignKey: true }],
  ["no signature", { unsigned: true }],
  ["an algorithm that it does not offer", { header: { alg: "HS256" } }],
  ["an unknown key", { header: { kid: "two" } }],
  ["no token", { noToken: true }],
  ["an unconfirmed address", { claims: { sub: "u1", email: "u1@provider.example", email_verified: false } }],
  [
    "an address that it says nothing about",
    { claims: { sub: "u2", email: "u2@provider.example", email_verified: undefined } },
  ],
  ["a word instead of a confirmation", { claims: { sub: "u3", email: "u3@provider.example", email_verified: "yes" } }],
  ["the owner's address", { claims: { sub: "u4", email: "owner@example.com" } }],
  ["the owner's address in capitals", { claims: { sub: "u5", email: "OWNER@EXAMPLE.COM" } }],
  ["no address", { claims: { sub: "u6", email: undefined } }],
  ["something that is no address", { claims: { sub: "u7", email: "not an address" } }],
  ["a list for an address", { claims: { sub: "u8", email: ["a@b.example"] } }],
];

test.each(LIES)("%s signs nobody in", async (_, lie) => {
  expect(await comeBack(lie)).toBe(false);
});

test.each([
  ["another state", (answer: { state: string; code: string }) => ({ ...answer, state: "another" })],
  ["no state", ({ code }: { code: string }) => ({ code })],
  ["no code", ({ state }: { state: string }) => ({ state })],
  ["an error", ({ state }: { state: string }) => ({ state, error: "server_error" })],
  [
    "another issuer beside it",
    (answer: { state: string; code: string }) => ({ ...answer, iss: "https://other.example" }),
  ],
] as [string, (answer: { state: string; code: string }) => Record<string, string>][])(
  "%s signs nobody in",
  async (_, change) => {
    expect(await comeBack({}, change)).toBe(false);
  },
);

describe("a proof at the provider", () => {
  /** Sends a person with only a provider sign-in, an hour ago, to the provider for a new proof of identity. */
  async function prove(lie: Lie) {
    const sub = `proves-${Math.random()}`;
    const claims = { sub, email: `${sub}@provider.example` };
    const browser = portal.visitor();
    await browser.post("/auth/accept-tos", { accept_terms: "on", provider: "idp-a" });
    await visit(browser, "/auth/idp-a", { claims });
    await portal.sql("UPDATE session SET proved_at = now() - interval '1 hour'");
    const end = await visit(browser, "/auth/idp-a?confirm=1&next=%2Fdashboard%2Fsettings", {
      ...lie,
      claims: { ...claims, ...lie.claims },
    });
    const password = { intent: "password", new_password: "quite another set of words" };
    return { end, browser, status: (await browser.post("/dashboard/settings", password, { json: true })).status };
  }

  async function visit(browser: Browser, start: string, lie: Lie) {
    const begun = await browser.get(start);
    provider.tell(lie);
    const answer = provider.visit(begun.headers.get("location") as string);
    return browser.get(`/oauth/idp-a/login/callback/?${new URLSearchParams(answer)}`);
  }

  test("counts when the person has signed in there since", async () => {
    expect(await prove({ claims: { auth_time: now() } })).toMatchObject({ status: 200 });
  });

  test.each([
    ["a sign-in of five minutes ago", { auth_time: now() - 300 }, "did not confirm a fresh sign-in"],
    ["nothing about when", {}, "did not confirm a fresh sign-in"],
    ["a text for a time", { auth_time: String(now()) }, "couldn’t accept"],
  ])("does not with %s, and the page that asks for it says so", async (_, claims, words) => {
    const { end, browser, status } = await prove({ claims });
    expect([end.headers.get("location"), status]).toEqual(["/account/confirm?next=%2Fdashboard%2Fsettings", 401]);
    expect(await (await browser.follow(end)).text()).toContain(words);
  });

  test.each([
    ["long ago", { auth_time: now() - 3_600 }],
    ["at some time", {}],
  ])("is no sign-in that the provider answers with a session from %s", async (_, more) => {
    const { browser } = await prove({ claims: {} });
    const sub = "signs-in-silently";
    const claims = { sub, email: "silent@provider.example", ...more };
    await browser.post("/auth/accept-tos", { accept_terms: "on", provider: "idp-a" });
    const end = await visit(browser, "/auth/idp-a", { claims });
    expect(end.headers.get("location")).toBe("/dashboard");
    const password = { intent: "password", new_password: "quite another set of words" };
    expect((await browser.post("/dashboard/settings", password, { json: true })).status).toBe(401);
  });
});

test("nothing of all this is linked to the owner, and no code or token is printed", async () => {
  const [row] = await portal.sql(
    "SELECT count(*)::int AS links FROM external_identity e JOIN app_user u ON u.id = e.user_id WHERE u.email = 'owner@example.com'",
  );
  expect(row.links).toBe(0);
  expect(portal.gateway.output()).not.toMatch(/an-access-token|eyJ[\w-]{10,}\./);
});
