import { describe, expect, test } from "vitest";
import type { Algorithm } from "../../../tests/support/identity-twins/keys";
import { PROFILES } from "../../../tests/support/identity-twins/profiles";
import { settingsOf } from "../../../tests/support/identity-twins/settings";
import { CLIENT, IdentityTwin, type Profile } from "../../../tests/support/identity-twins/twin";
import { OpenIdClient } from "./openid-client.server";

const CALLBACK = "https://gw.example.com/oauth/idp-a/login/callback/";
const ADA = { sub: "a-subject", email: "ada@acme.example", name: "Ada" };
const { keycloak, authelia, okta, entra } = PROFILES;

function at(profile: Profile, more: Record<string, string> = {}) {
  const twin = new IdentityTwin(profile);
  const client = new OpenIdClient(settingsOf(profile.issuer, more), twin.fetch);
  async function signIn(person = ADA) {
    const { url, secrets } = await client.leave(CALLBACK, { anew: false });
    return client.arrive(twin.visit(url, person), secrets);
  }
  return { twin, client, signIn };
}

describe("a signature", () => {
  test.each(["RS256", "RS512", "PS256", "ES256", "ES384", "EdDSA"] as Algorithm[])(
    "by %s is checked, also after the keys have changed",
    async (algorithm) => {
      const { twin, signIn } = at({ ...keycloak, algorithm });
      expect(await signIn()).toMatchObject({ subject: ADA.sub });
      twin.rotateKeys();
      expect(await signIn()).toMatchObject({ subject: ADA.sub });
    },
  );

  test("without the name of its key fits the only one that can be meant", async () => {
    expect(await at({ ...keycloak, namesNoKey: true }).signIn()).toMatchObject({ subject: ADA.sub });
  });

  test("by an algorithm that the document does not name is refused", async () => {
    const document = { ...keycloak.document, id_token_signing_alg_values_supported: ["RS256"] };
    await expect(at({ ...keycloak, document, algorithm: "ES256" }).signIn()).rejects.toMatchObject({
      code: "OAUTH_INVALID_RESPONSE",
    });
  });
});

describe("a token", () => {
  const refused: [string, Record<string, unknown>][] = [
    ["without the nonce", { nonce: undefined }],
    ["with another nonce", { nonce: "of-yesterday" }],
    ["for another client", { aud: "another" }],
    ["for several clients that does not say for whom", { aud: [CLIENT.id, "another"], azp: undefined }],
    ["for several clients and by word for another", { aud: [CLIENT.id, "another"], azp: "another" }],
    ["of nobody", { sub: undefined }],
    ["of a number", { sub: 7 }],
    ["of another issuer", { iss: "https://elsewhere.example" }],
  ];
  test.each(refused)("%s signs nobody in", async (_, more) => {
    const { twin, signIn } = at(keycloak);
    twin.more = more;
    await expect(signIn()).rejects.toThrow();
  });

  test("for several clients by word for this one signs in, with roles and claims of whatever size", async () => {
    const { twin, signIn } = at(keycloak);
    const groups = Array.from({ length: 3_000 }, (_, count) => `/staff/${count}`);
    twin.more = { aud: [CLIENT.id, "account"], azp: CLIENT.id, groups, realm_access: { roles: groups } };
    expect(await signIn()).toMatchObject({ subject: ADA.sub, email: ADA.email });
  });

  test("of a person whose address has changed is of the same person", async () => {
    const { signIn } = at(keycloak);
    const before = await signIn();
    const after = await signIn({ ...ADA, email: "ada.new@acme.example" });
    expect([after.issuer, after.subject]).toEqual([before.issuer, before.subject]);
    expect(after.email).toBe("ada.new@acme.example");
  });
});

describe("a claim", () => {
  test.each([
    ["of a list", "emails.0", { emails: [ADA.email, "other@acme.example"] }],
    ["within another", "profile.mail", { profile: { mail: ADA.email } }],
    ["with an address for a name", "https://acme.example/email", { "https://acme.example/email": ADA.email }],
    ["with dots in its name", "com.acme.email", { "com.acme.email": ADA.email }],
  ])("%s can hold the address", async (_, field, claims) => {
    const { twin, signIn } = at({ ...entra, userinfo: undefined }, { EMAIL_FIELD: field, EMAILS_VERIFIED: "true" });
    twin.more = { email: undefined, ...claims };
    expect(await signIn()).toMatchObject({ email: ADA.email, emailVerified: true });
  });

  test.each([
    ["true", true],
    [true, true],
    ["false", false],
    [undefined, false],
    [null, false],
  ])("that says %j about the address confirms it: %s", async (said, verified) => {
    const { twin, signIn } = at({ ...keycloak, userinfo: () => ({}) });
    twin.more = { email_verified: said };
    expect(await signIn()).toMatchObject({ emailVerified: verified });
  });
});

describe("a user-info answer", () => {
  test.each<[string, Profile["userinfo"]]>([
    ["without a subject", () => ({ sub: undefined, email: "x@acme.example" })],
    ["about a number", () => ({ sub: 7, email: "x@acme.example" })],
    ["about somebody else", () => ({ sub: "somebody-else", email: "x@acme.example" })],
  ])("%s is not believed", async (_, userinfo) => {
    await expect(at({ ...okta, userinfo, token: () => ({}) }).signIn()).rejects.toThrow();
  });
});

describe("a secret with special characters", () => {
  const only = (profile: Profile): Profile => ({
    ...profile,
    takes: ["client_secret_basic"],
    document: { ...profile.document, token_endpoint_auth_methods_supported: ["client_secret_basic"] },
  });

  test("is shown as it is to a provider that takes Basic and does not decode", async () => {
    const { twin, signIn } = at({ ...only(authelia), decodesNothing: true });
    expect(await signIn()).toMatchObject({ subject: ADA.sub });
    const asked = () => twin.asked.filter(({ url }) => url === authelia.endpoints.token).length;
    const before = asked();
    await signIn();
    expect(asked()).toBe(before + 1);
  });

  test("is not shown in a way that the operator has excluded", async () => {
    const { twin, signIn } = at(
      { ...only(authelia), decodesNothing: true },
      { CLIENT_AUTHENTICATION: "client_secret_basic" },
    );
    await expect(signIn()).rejects.toMatchObject({ error: "invalid_client" });
    expect(twin.asked.filter(({ url }) => url === authelia.endpoints.token)).toHaveLength(1);
  });
});

describe("a discovery document at another address than the issuer's", () => {
  const inner = "http://keycloak:8080/realms/acme";
  const within: Profile = {
    ...keycloak,
    discovery: `${inner}/.well-known/openid-configuration`,
    endpoints: {
      authorization: keycloak.endpoints.authorization,
      token: `${inner}/protocol/openid-connect/token`,
      userinfo: `${inner}/protocol/openid-connect/userinfo`,
      jwks: `${inner}/protocol/openid-connect/certs`,
    },
  };
  const settings = { DISCOVERY_URL: within.discovery as string };

  test("is read where the operator says, inside a private network for example", async () => {
    expect(await at(within, settings).signIn()).toMatchObject({ issuer: keycloak.issuer, email: ADA.email });
  });

  test("names the issuer that is set, and no other", async () => {
    const { client } = at({ ...within, documentIssuer: inner }, settings);
    await expect(client.leave(CALLBACK, { anew: false })).rejects.toThrow(`names ${inner}: set that one`);
  });

  test("sends people to no page without TLS", async () => {
    const authorization = `${inner}/protocol/openid-connect/auth`;
    const { client } = at({ ...within, endpoints: { ...within.endpoints, authorization } }, settings);
    await expect(client.leave(CALLBACK, { anew: false })).rejects.toThrow("http:// addresses (authorization_endpoint)");
  });

  test("read by https names https addresses only", async () => {
    const discovery = "https://id.acme.example/elsewhere";
    const { client } = at({ ...within, discovery }, { DISCOVERY_URL: discovery });
    await expect(client.leave(CALLBACK, { anew: false })).rejects.toThrow("(token_endpoint, jwks_uri)");
  });

  test("is how a user flow of B2C at a domain of one's own signs in", async () => {
    const flow = "https://login.acme.example/8a1f/b2c_1_signin";
    const issuer = "https://login.acme.example/8a1f/v2.0/";
    const discovery = `${flow}/v2.0/.well-known/openid-configuration`;
    const endpoints = { authorization: `${flow}/authorize`, token: `${flow}/token`, jwks: `${flow}/keys` };
    const profile: Profile = { ...entra, issuer, discovery, endpoints, userinfo: undefined };
    expect(await at(profile, { DISCOVERY_URL: discovery }).signIn()).toMatchObject({ issuer, subject: ADA.sub });
  });
});

test("an issuer for many tenants in a cloud of its own is told to be none that can be set", async () => {
  const issuer = "https://login.microsoftonline.us/common/v2.0";
  const endpoints = { authorization: `${issuer}/authorize`, token: `${issuer}/token`, jwks: `${issuer}/keys` };
  const documentIssuer = "https://login.microsoftonline.us/{tenantid}/v2.0";
  const { client } = at({ ...entra, issuer, endpoints, documentIssuer });
  await expect(client.leave(CALLBACK, { anew: false })).rejects.toThrow("set the issuer of one tenant");
});
