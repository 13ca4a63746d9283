import type { Person, Profile } from "./twin";

const BOTH = ["client_secret_basic", "client_secret_post"] as const;
const ASKS = ["none", "login", "consent", "select_account"];
const TENANT = "8a1f0f4e-2c43-4c7c-9d5f-6a1c0e2f3b4d";
const CLIENT_ID = "3f1a-client.example~x_y";
const refusal = { status: 401, body: { error: "invalid_client", error_description: "Client authentication failed." } };
const all = ({ email, name }: Person) => ({ email, email_verified: true, name });

/** More providers in common use, each modelled on its documentation; gw's own docs have no section about them. */
export const MORE_PROFILES = {
  b2c: {
    source: "learn.microsoft.com/azure/active-directory-b2c/tokens-overview, …/user-flow-overview",
    read: "2026-11-27",
    // The discovery document is located below the user flow, but its issuer does not contain the user flow.
    issuer: "https://acme.b2clogin.com/acme.onmicrosoft.com/b2c_1_signin/v2.0",
    documentIssuer: `https://acme.b2clogin.com/${TENANT}/v2.0/`,
    endpoints: {
      authorization: "https://acme.b2clogin.com/acme.onmicrosoft.com/b2c_1_signin/oauth2/v2.0/authorize",
      token: "https://acme.b2clogin.com/acme.onmicrosoft.com/b2c_1_signin/oauth2/v2.0/token",
      jwks: "https://acme.b2clogin.com/acme.onmicrosoft.com/b2c_1_signin/discovery/v2.0/keys",
    },
    document: { userinfo_endpoint: undefined, token_endpoint_auth_methods_supported: ["client_secret_post"] },
    takes: ["client_secret_post"],
    refusal,
    prompts: ASKS,
    authTime: "always",
    namesIssuer: false,
    token: ({ email, name }) => ({ emails: [email], name, tfp: "B2C_1_signin", ver: "1.0" }),
  },
  externalId: {
    source: "learn.microsoft.com/entra/external-id/customers, MSAL issue 8592",
    read: "2026-11-27",
    issuer: `https://${TENANT}.ciamlogin.com/${TENANT}/v2.0`,
    endpoints: {
      authorization: `https://acme.ciamlogin.com/${TENANT}/oauth2/v2.0/authorize`,
      token: `https://acme.ciamlogin.com/${TENANT}/oauth2/v2.0/token`,
      userinfo: "https://graph.microsoft.com/oidc/userinfo",
      jwks: `https://acme.ciamlogin.com/${TENANT}/discovery/v2.0/keys`,
    },
    discovery: `https://acme.ciamlogin.com/${TENANT}/v2.0/.well-known/openid-configuration`,
    document: {
      token_endpoint_auth_methods_supported: ["client_secret_post", "private_key_jwt", "client_secret_basic"],
    },
    takes: BOTH,
    refusal,
    prompts: ASKS,
    authTime: "never",
    namesIssuer: false,
    token: ({ email, name }) => ({ email, name, tid: TENANT, ver: "2.0" }),
    userinfo: ({ email, name }) => ({ email, name }),
  },
  adfs: {
    source: "learn.microsoft.com/windows-server/identity/ad-fs/development/ad-fs-openid-connect-oauth-concepts",
    read: "2026-11-27",
    issuer: "https://adfs.acme.example/adfs",
    endpoints: {
      authorization: "https://adfs.acme.example/adfs/oauth2/authorize/",
      token: "https://adfs.acme.example/adfs/oauth2/token/",
      userinfo: "https://adfs.acme.example/adfs/userinfo",
      jwks: "https://adfs.acme.example/adfs/discovery/keys",
    },
    document: { token_endpoint_auth_methods_supported: [...BOTH, "private_key_jwt", "windows_client_authentication"] },
    takes: BOTH,
    refusal: {
      status: 400,
      body: { error: "invalid_client", error_description: "MSIS9607: The client_secret is invalid." },
    },
    prompts: ["none", "login"],
    authTime: "never",
    namesIssuer: false,
    token: ({ email, name }) => ({ upn: email, unique_name: name, apptype: "Confidential", ver: "1.0" }),
    // The user-info answer contains only the subject.
    userinfo: () => ({}),
  },
  zitadel: {
    source: "zitadel.com/docs/apis/openidoauth/endpoints, …/claims",
    read: "2026-11-27",
    issuer: "https://acme-x1y2.zitadel.cloud",
    endpoints: {
      authorization: "https://acme-x1y2.zitadel.cloud/oauth/v2/authorize",
      token: "https://acme-x1y2.zitadel.cloud/oauth/v2/token",
      userinfo: "https://acme-x1y2.zitadel.cloud/oidc/v1/userinfo",
      jwks: "https://acme-x1y2.zitadel.cloud/oauth/v2/keys",
    },
    document: {
      token_endpoint_auth_methods_supported: ["none", ...BOTH, "private_key_jwt"],
      id_token_signing_alg_values_supported: ["EdDSA", "RS256", "RS384", "RS512", "ES256", "ES384", "ES512"],
    },
    takes: ["client_secret_basic"],
    refusal,
    prompts: ["none", "login", "consent", "select_account", "create"],
    authTime: "always",
    namesIssuer: false,
    // The project is an audience too; `azp` names the client that the token is for.
    token: () => ({ aud: [CLIENT_ID, "291834710293847"], azp: CLIENT_ID, amr: ["pwd", "mfa"], client_id: CLIENT_ID }),
    userinfo: all,
  },
  dex: {
    source: "dexidp.io/docs/openid-connect, dexidp.io/docs/custom-scopes-claims-clients",
    read: "2026-11-27",
    issuer: "https://dex.acme.example/dex",
    endpoints: {
      authorization: "https://dex.acme.example/dex/auth",
      token: "https://dex.acme.example/dex/token",
      userinfo: "https://dex.acme.example/dex/userinfo",
      jwks: "https://dex.acme.example/dex/keys",
    },
    document: { token_endpoint_auth_methods_supported: [...BOTH] },
    takes: BOTH,
    refusal,
    prompts: ["none", "login", "consent"],
    authTime: "never",
    namesIssuer: false,
    token: (person) => ({ ...all(person), federated_claims: { connector_id: "ldap", user_id: "ada" } }),
    userinfo: all,
  },
  jumpcloud: {
    source: "jumpcloud.com/support/sso-with-oidc (Ory Hydra)",
    read: "2026-11-27",
    issuer: "https://oauth.id.jumpcloud.com/",
    endpoints: {
      authorization: "https://oauth.id.jumpcloud.com/oauth2/auth",
      token: "https://oauth.id.jumpcloud.com/oauth2/token",
      userinfo: "https://oauth.id.jumpcloud.com/userinfo",
      jwks: "https://oauth.id.jumpcloud.com/.well-known/jwks.json",
    },
    document: {
      token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic", "private_key_jwt", "none"],
    },
    // Configured per client.
    takes: ["client_secret_post"],
    refusal,
    prompts: ["none", "login", "consent"],
    authTime: "always",
    namesIssuer: false,
    token: (person) => ({ ...all(person), aud: [CLIENT_ID], rat: 1, sid: "0c5e" }),
    userinfo: all,
  },
  onelogin: {
    source: "developers.onelogin.com/openid-connect/api",
    read: "2026-11-27",
    issuer: "https://acme.onelogin.com/oidc/2",
    endpoints: {
      authorization: "https://acme.onelogin.com/oidc/2/auth",
      token: "https://acme.onelogin.com/oidc/2/token",
      userinfo: "https://acme.onelogin.com/oidc/2/me",
      jwks: "https://acme.onelogin.com/oidc/2/certs",
    },
    document: { token_endpoint_auth_methods_supported: [...BOTH, "none"] },
    takes: ["client_secret_basic"],
    refusal,
    prompts: ["none", "login", "consent"],
    authTime: "when asked",
    namesIssuer: false,
    token: ({ email, name }) => ({ email, name, preferred_username: email, groups: ["staff"] }),
    userinfo: ({ email, name }) => ({ email, name, preferred_username: email }),
  },
  pingOne: {
    source: "docs.pingidentity.com/pingone (OIDC applications), apidocs.pingidentity.com/pingone/platform",
    read: "2026-11-27",
    issuer: "https://auth.pingone.eu/3c2b/as",
    endpoints: {
      authorization: "https://auth.pingone.eu/3c2b/as/authorize",
      token: "https://auth.pingone.eu/3c2b/as/token",
      userinfo: "https://auth.pingone.eu/3c2b/as/userinfo",
      jwks: "https://auth.pingone.eu/3c2b/as/jwks",
    },
    document: { token_endpoint_auth_methods_supported: [...BOTH, "client_secret_jwt", "private_key_jwt", "none"] },
    takes: ["client_secret_basic"],
    refusal,
    prompts: ["none", "login"],
    authTime: "always",
    namesIssuer: false,
    token: ({ email }) => ({ email, preferred_username: "ada", acr: "Single_Factor", env: "3c2b", org: "9f" }),
    userinfo: ({ email, name }) => ({ email, name, preferred_username: "ada" }),
  },
} satisfies Record<string, Profile>;

type MoreName = keyof typeof MORE_PROFILES;
export const MORE_NAMES = Object.keys(MORE_PROFILES) as MoreName[];

/** Settings that each provider needs in addition to issuer, id and secret. */
export const MORE_SETTINGS: Partial<Record<MoreName, Readonly<Record<string, string>>>> = {
  b2c: { EMAIL_FIELD: "emails.0", EMAILS_VERIFIED: "true" },
  externalId: { DISCOVERY_URL: MORE_PROFILES.externalId.discovery, EMAILS_VERIFIED: "true" },
  adfs: { EMAIL_FIELD: "upn", NAME_FIELD: "unique_name", EMAILS_VERIFIED: "true" },
  onelogin: { EMAILS_VERIFIED: "true" },
  pingOne: { EMAILS_VERIFIED: "true" },
};
