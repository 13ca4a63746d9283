import { describe, expect, test } from "vitest";
import { MORE_NAMES, MORE_PROFILES, MORE_SETTINGS } from "../../../tests/support/identity-twins/more-profiles";
import { NAMES, PROFILES, SETTINGS } from "../../../tests/support/identity-twins/profiles";
import { settingsOf } from "../../../tests/support/identity-twins/settings";
import { CLIENT, IdentityTwin, type Profile } from "../../../tests/support/identity-twins/twin";
import { OpenIdClient } from "./openid-client.server";
import { asksAnew } from "./provider-settings.server";

const CALLBACK = "https://gw.example.com/oauth/idp-a/login/callback/";
const ADA = { sub: "a-subject", email: "Ada@acme.example", name: "Ada" };

function at(profile: Profile, more: Record<string, string> = {}) {
  const twin = new IdentityTwin(profile);
  const client = new OpenIdClient(settingsOf(profile.issuer, more), twin.fetch);
  async function signIn({ anew = false, change = (back: URL) => back } = {}) {
    const { url, secrets } = await client.leave(CALLBACK, { anew });
    return client.arrive(change(twin.visit(url, ADA)), secrets);
  }
  return { twin, client, signIn };
}

const TWINS: [string, Profile, Readonly<Record<string, string>> | undefined][] = [
  ...NAMES.map((name) => [name, PROFILES[name], SETTINGS[name]] as [string, Profile, undefined]),
  ...MORE_NAMES.map((name) => [name, MORE_PROFILES[name], MORE_SETTINGS[name]] as [string, Profile, undefined]),
];

describe.each(TWINS)("%s, with the settings that its page names,", (_name, profile, more) => {
  test("signs a person in, again and again", async () => {
    const { signIn } = at(profile, more);
    for (let count = 0; count < 2; count += 1)
      expect(await signIn()).toMatchObject({
        issuer: profile.documentIssuer ?? profile.issuer,
        subject: ADA.sub,
        email: ADA.email,
        emailVerified: true,
        name: ADA.name,
      });
  });

  test("is told the secret in the way that it takes, and is not asked in another the second time", async () => {
    const { twin, signIn } = at(profile, more);
    await signIn();
    const before = twin.asked.length;
    await signIn();
    const asked = twin.asked.slice(before).filter(({ url }) => url === profile.endpoints.token);
    expect(asked).toHaveLength(1);
  });

  test("signs in after it has changed its keys, at once", async () => {
    const { twin, signIn } = at(profile, more);
    await signIn();
    twin.rotateKeys();
    expect(await signIn()).toMatchObject({ subject: ADA.sub });
  });

  test.each([-240, 240])("may have a clock that is %i seconds off", async (seconds) => {
    const { twin, signIn } = at(profile, more);
    twin.clockOffset = seconds;
    expect(await signIn()).toMatchObject({ subject: ADA.sub });
  });

  test.each([-3_600, 3_600])("may not have one that is %i seconds off", async (seconds) => {
    const { twin, signIn } = at(profile, more);
    twin.clockOffset = seconds;
    await expect(signIn()).rejects.toMatchObject({ code: "OAUTH_JWT_TIMESTAMP_CHECK_FAILED" });
  });

  test("lets several sign-ins of one browser end in whatever order", async () => {
    const { twin, client } = at(profile, more);
    const left = [await client.leave(CALLBACK, { anew: false }), await client.leave(CALLBACK, { anew: false })];
    for (const { url, secrets } of left.toReversed())
      expect(await client.arrive(twin.visit(url, ADA), secrets)).toMatchObject({ subject: ADA.sub });
  });

  test("tells who has declined, in its own words", async () => {
    const { twin, client } = at(profile, more);
    const { url, secrets } = await client.leave(CALLBACK, { anew: false });
    await expect(client.arrive(twin.visit(url, null), secrets)).rejects.toMatchObject({
      error: "access_denied",
      error_description: "The user denied the request.",
    });
  });

  test("refuses a wrong secret in its own words", async () => {
    const { twin, signIn } = at(profile, { ...more, CLIENT_SECRET: "another" });
    await expect(signIn()).rejects.toMatchObject({ error: twin.profile.refusal.body.error });
  });

  test("accepts each code once", async () => {
    const { twin, client } = at(profile, more);
    const { url, secrets } = await client.leave(CALLBACK, { anew: false });
    const back = twin.visit(url, ADA);
    await client.arrive(back, secrets);
    await expect(client.arrive(back, secrets)).rejects.toMatchObject({ error: "invalid_grant" });
  });

  test("is not taken for another that answers in its place", async () => {
    const { signIn } = at(profile, more);
    const change = (back: URL) => {
      back.searchParams.set("iss", "https://elsewhere.example");
      return back;
    };
    await expect(signIn({ change })).rejects.toThrow();
  });

  test("says when a person has signed in, as far as it ever does, and is asked for it only where it can be", async () => {
    const { signIn } = at(profile, more);
    if (!asksAnew(settingsOf(profile.issuer, more))) {
      await expect(signIn({ anew: true })).rejects.toThrow("Invalid prompt: login");
      return;
    }
    const { authTime } = await signIn({ anew: true });
    const isFresh = authTime !== null && Math.abs(authTime - Date.now() / 1_000) < 60;
    expect(isFresh).toBe(profile.authTime !== "never");
  });
});

describe("the way to show the secret", () => {
  const { authelia, auth0 } = PROFILES;
  const offering = (methods: string[] | undefined, takes: Profile["takes"]): Profile => ({
    ...authelia,
    takes,
    document: { ...authelia.document, token_endpoint_auth_methods_supported: methods },
  });
  const basic = ["client_secret_basic"] as const;
  const post = ["client_secret_post"] as const;

  test.each([
    ["Basic where nothing is offered", offering(undefined, basic)],
    ["POST where nothing is offered and Basic is refused", offering(undefined, post)],
    ["Basic where only that is offered", offering([...basic], basic)],
    ["POST where only that is offered", offering([...post], post)],
    ["POST where both are offered and the client is registered for it", offering([...basic, ...post], post)],
    ["Basic where only ways are offered that gw does not know", offering(["private_key_jwt"], basic)],
  ])("is %s", async (_, profile) => {
    expect(await at(profile).signIn()).toMatchObject({ subject: ADA.sub });
  });

  test("is the one that the operator has set, and no other", async () => {
    const { twin, signIn } = at(auth0, { CLIENT_AUTHENTICATION: "client_secret_basic" });
    await expect(signIn()).rejects.toMatchObject({ error: "access_denied" });
    expect(twin.asked.filter(({ url }) => url === auth0.endpoints.token)).toHaveLength(1);
    expect(await at(auth0, { CLIENT_AUTHENTICATION: "client_secret_post" }).signIn()).toMatchObject({
      subject: ADA.sub,
    });
  });

  test("by Basic encodes nothing that a provider without decoding would miss", async () => {
    const { twin, signIn } = at(authelia);
    await signIn();
    const asked = twin.asked.find(({ url }) => url === authelia.endpoints.token);
    const [id, secret] = atob(asked?.authorization?.slice(6) ?? "").split(":");
    expect(id).toBe(CLIENT.id);
    expect(secret).toBe("s3cret~with-._%3A+and+%2B%25%2F%3D");
  });
});

describe("an address", () => {
  const { entra, okta, google } = PROFILES;

  test.each([
    ["without a confirmation is not verified", entra, {}, false],
    ["is verified by the operator's word", entra, { EMAILS_VERIFIED: "true" }, true],
    ["is verified by a claim that the operator names", entra, { EMAIL_VERIFIED_FIELD: "xms_edov" }, true],
    ["is not verified by another claim", entra, { EMAIL_VERIFIED_FIELD: "other" }, false],
    ["of another claim is not verified by what is said of the standard one", google, { EMAIL_FIELD: "upn" }, false],
    [
      "of another claim is verified by the operator's word",
      google,
      { EMAIL_FIELD: "upn", EMAILS_VERIFIED: "true" },
      true,
    ],
  ] as [string, Profile, Record<string, string>, boolean][])("%s", async (_, profile, more, verified) => {
    const { twin, signIn } = at(profile, more);
    twin.more = { upn: ADA.email, xms_edov: "1" };
    expect(await signIn()).toMatchObject({ email: ADA.email, emailVerified: verified });
  });

  test("that only preferred_username tells is found there", async () => {
    const { twin, signIn } = at(
      { ...entra, userinfo: undefined },
      { EMAIL_FIELD: "preferred_username", EMAILS_VERIFIED: "true" },
    );
    twin.more = { email: undefined };
    expect(await signIn()).toMatchObject({ email: ADA.email, emailVerified: true });
  });

  test("of the token is not verified by what the user-info answer says of another", async () => {
    const { twin, signIn } = at({ ...okta, userinfo: () => ({ email: "other@acme.example", email_verified: true }) });
    twin.more = { email: ADA.email };
    expect(await signIn()).toMatchObject({ email: ADA.email, emailVerified: false });
  });

  test("in the token is enough where the user-info answer cannot be had", async () => {
    const twin = new IdentityTwin(google);
    const isBlocked = (address: string) => address === google.endpoints.userinfo;
    const client = new OpenIdClient(settingsOf(google.issuer), (address, init) =>
      isBlocked(address) ? Promise.reject(new TypeError("fetch failed")) : twin.fetch(address, init),
    );
    const { url, secrets } = await client.leave(CALLBACK, { anew: false });
    twin.more = { email_verified: undefined };
    expect(await client.arrive(twin.visit(url, ADA), secrets)).toMatchObject({
      email: ADA.email,
      emailVerified: false,
    });
  });

  test("of somebody else's user-info answer counts for nobody", async () => {
    const { signIn } = at({ ...okta, userinfo: () => ({ sub: "somebody-else", email: "x@acme.example" }) });
    await expect(signIn()).rejects.toThrow();
  });
});

describe("the tenants of Entra ID", () => {
  const { entra } = PROFILES;
  const common = "https://login.microsoftonline.com/common/v2.0";
  const shared: Profile = {
    ...entra,
    issuer: common,
    documentIssuer: "https://login.microsoftonline.com/{tenantid}/v2.0",
  };

  test("are told apart by the issuer of the token, where the setting is for all of them", async () => {
    const { twin, signIn } = at(shared, { EMAIL_VERIFIED_FIELD: "xms_edov" });
    twin.more = { iss: entra.issuer };
    expect(await signIn()).toMatchObject({ issuer: entra.issuer, emailVerified: false });
    twin.more = { iss: "https://login.microsoftonline.com/another/v2.0" };
    await expect(signIn()).rejects.toMatchObject({ code: "OAUTH_JWT_CLAIM_COMPARISON_FAILED" });
  });

  test.each(["common", "organizations", "consumers"])("of %s cannot all be believed in their addresses", (tenants) => {
    const issuer = `https://login.microsoftonline.com/${tenants}/v2.0`;
    expect(() => settingsOf(issuer, { EMAILS_VERIFIED: "true" })).toThrow("needs the issuer of one tenant");
  });

  test("sign in with tokens of version 1 by their own issuer", async () => {
    const issuer = "https://login.microsoftonline.com/8a1f0f4e-2c43-4c7c-9d5f-6a1c0e2f3b4d";
    const v1: Profile = {
      ...entra,
      issuer,
      documentIssuer: "https://sts.windows.net/8a1f0f4e-2c43-4c7c-9d5f-6a1c0e2f3b4d/",
    };
    expect(await at(v1).signIn()).toMatchObject({ issuer: v1.documentIssuer });
  });
});

describe("a setting that cannot work is told in words that name what to change", () => {
  const { keycloak, okta } = PROFILES;
  const wrong: [string, Profile, RegExp][] = [
    [
      "another issuer",
      { ...okta, documentIssuer: "https://acme.okta.com" },
      /is set to https:\/\/acme\.okta\.com\/oauth2\/default, but its discovery document names https:\/\/acme\.okta\.com: set that one/,
    ],
    [
      "http addresses behind https",
      withEndpoint("http://id.acme.example/token"),
      /names http:\/\/ addresses \(token_endpoint\)/,
    ],
    ["no key address", { ...keycloak, document: { jwks_uri: undefined } }, /has no jwks_uri/],
    [
      "tokens that are signed with the secret",
      { ...PROFILES.authentik, algorithm: "HS256" },
      /signs with the client secret \(HS256\): choose a signing key/,
    ],
  ];
  function withEndpoint(token: string): Profile {
    return { ...keycloak, endpoints: { ...keycloak.endpoints, token } };
  }
  test.each(wrong)("%s", async (_, profile, words) => {
    const problem = await at(profile)
      .client.leave(CALLBACK, { anew: false })
      .catch((error) => error);
    expect(problem.name).toBe("ProviderMisconfigured");
    expect(problem.message).toMatch(words);
  });

  test.each([
    [
      "a redirect",
      () => new Response(null, { status: 301, headers: { location: "https://id.example/" } }),
      "redirects to https://id.example/",
    ],
    [
      "nothing there",
      () => new Response("Not Found", { status: 404 }),
      "there is no discovery document of this issuer",
    ],
    ["a page", () => new Response("<html>"), "is no discovery document"],
    ["a list", () => Response.json([]), "is no discovery document"],
  ])("%s", async (_, answer, words) => {
    const client = new OpenIdClient(settingsOf("https://id.acme.example"), async () => answer());
    const problem = await client.leave(CALLBACK, { anew: false }).catch((error) => error);
    expect([problem.name, problem.message]).toEqual(["ProviderMisconfigured", expect.stringContaining(words)]);
  });

  test("but not a provider that is away", async () => {
    const client = new OpenIdClient(
      settingsOf("https://id.acme.example"),
      async () => new Response("", { status: 503 }),
    );
    await expect(client.leave(CALLBACK, { anew: false })).rejects.toThrow(TypeError);
  });

  test("and is looked at anew by the next sign-in", async () => {
    const twin = new IdentityTwin(keycloak);
    let isAway = true;
    const client = new OpenIdClient(settingsOf(keycloak.issuer), (address, init) =>
      isAway ? Promise.resolve(new Response("", { status: 503 })) : twin.fetch(address, init),
    );
    await expect(client.leave(CALLBACK, { anew: false })).rejects.toThrow(TypeError);
    isAway = false;
    expect(await client.leave(CALLBACK, { anew: false })).toHaveProperty("url");
  });

  test("a token signed with the secret by a provider that offers more is refused", async () => {
    const profile: Profile = { ...PROFILES.auth0, algorithm: "HS256" };
    await expect(at(profile).signIn()).rejects.toMatchObject({ code: "OAUTH_UNSUPPORTED_OPERATION" });
  });
});

test("an issuer is taken as consoles show it", () => {
  for (const shown of ["https://id.example/x/.well-known/openid-configuration", " https://id.example/x\n"])
    expect(settingsOf(shown).issuer).toBe("https://id.example/x");
});
