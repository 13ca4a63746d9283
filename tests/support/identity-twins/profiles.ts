import type { Person, Profile } from "./twin";

const INVALID_CLIENT = {
  status: 401,
  body: { error: "invalid_client", error_description: "Client authentication failed." },
};
const BOTH = ["client_secret_basic", "client_secret_post"] as const;
const ASKS = ["none", "login", "consent", "select_account"];
const TENANT = "8a1f0f4e-2c43-4c7c-9d5f-6a1c0e2f3b4d";

const all = ({ email, name }: Person) => ({ email, email_verified: true, name });

/**
 * Differences of common identity providers, each by its documentation. Discovery lists all methods that a provider
 * supports; `takes` lists those that it accepts for a client with the console's default settings.
 */
export const PROFILES = {
  entra: {
    source: "learn.microsoft.com/entra/identity-platform/id-token-claims-reference, …/v2-protocols-oidc",
    read: "2026-11-27",
    issuer: `https://login.microsoftonline.com/${TENANT}/v2.0`,
    endpoints: {
      authorization: `https://login.microsoftonline.com/${TENANT}/oauth2/v2.0/authorize`,
      token: `https://login.microsoftonline.com/${TENANT}/oauth2/v2.0/token`,
      userinfo: "https://graph.microsoft.com/oidc/userinfo",
      jwks: `https://login.microsoftonline.com/${TENANT}/discovery/v2.0/keys`,
    },
    document: {
      token_endpoint_auth_methods_supported: ["client_secret_post", "private_key_jwt", "client_secret_basic"],
    },
    takes: BOTH,
    refusal: {
      status: 401,
      body: {
        error: "invalid_client",
        error_description: "AADSTS7000215: Invalid client secret provided.",
        error_codes: [7000215],
      },
    },
    prompts: ASKS,
    // `auth_time` is an optional claim, which an administrator adds to the application.
    authTime: "never",
    namesIssuer: false,
    token: ({ email, name }) => ({
      email,
      name,
      preferred_username: email,
      tid: TENANT,
      ver: "2.0",
      _claim_names: { groups: "src1" },
      _claim_sources: { src1: { endpoint: "https://graph.windows.net/x/users/y/getMemberObjects" } },
    }),
    userinfo: ({ email, name }) => ({ email, name, picture: "https://graph.microsoft.com/v1.0/me/photo/$value" }),
  },
  okta: {
    source: "developer.okta.com/docs/reference/api/oidc",
    read: "2026-11-27",
    issuer: "https://acme.okta.com/oauth2/default",
    endpoints: {
      authorization: "https://acme.okta.com/oauth2/default/v1/authorize",
      token: "https://acme.okta.com/oauth2/default/v1/token",
      userinfo: "https://acme.okta.com/oauth2/default/v1/userinfo",
      jwks: "https://acme.okta.com/oauth2/default/v1/keys",
    },
    document: {
      token_endpoint_auth_methods_supported: [...BOTH, "client_secret_jwt", "private_key_jwt", "none"],
      request_parameter_supported: true,
    },
    takes: ["client_secret_basic"],
    refusal: INVALID_CLIENT,
    prompts: ["none", "login", "consent", "enroll_authenticator"],
    authTime: "always",
    namesIssuer: false,
    // The default server issues an id_token with few claims if it also issues an access token.
    token: ({ name, email }) => ({ name, preferred_username: email, amr: ["pwd"], idp: "00o1", ver: 1 }),
    userinfo: all,
  },
  google: {
    source: "developers.google.com/identity/openid-connect/openid-connect, …/reference",
    read: "2026-11-27",
    issuer: "https://accounts.google.com",
    endpoints: {
      authorization: "https://accounts.google.com/o/oauth2/v2/auth",
      token: "https://oauth2.googleapis.com/token",
      userinfo: "https://openidconnect.googleapis.com/v1/userinfo",
      jwks: "https://www.googleapis.com/oauth2/v3/certs",
    },
    document: { token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"] },
    takes: BOTH,
    refusal: { status: 401, body: { error: "invalid_client", error_description: "Unauthorized" } },
    prompts: ["none", "consent", "select_account"],
    authTime: "never",
    namesIssuer: false,
    token: (person) => ({ ...all(person), azp: "3f1a-client.example~x_y", hd: "acme.example" }),
    userinfo: all,
  },
  keycloak: {
    source: "www.keycloak.org/docs/latest/server_admin (OpenID Connect clients), discovery of Keycloak 26",
    read: "2026-11-27",
    issuer: "https://id.acme.example/realms/acme",
    endpoints: {
      authorization: "https://id.acme.example/realms/acme/protocol/openid-connect/auth",
      token: "https://id.acme.example/realms/acme/protocol/openid-connect/token",
      userinfo: "https://id.acme.example/realms/acme/protocol/openid-connect/userinfo",
      jwks: "https://id.acme.example/realms/acme/protocol/openid-connect/certs",
    },
    document: {
      token_endpoint_auth_methods_supported: ["private_key_jwt", ...BOTH, "tls_client_auth", "client_secret_jwt"],
      prompt_values_supported: ["none", "login", "consent"],
    },
    takes: BOTH,
    refusal: {
      status: 401,
      body: { error: "unauthorized_client", error_description: "Invalid client or Invalid client credentials" },
    },
    prompts: ["none", "login", "consent"],
    authTime: "always",
    namesIssuer: true,
    token: (person) => ({ ...all(person), typ: "ID", azp: "3f1a-client.example~x_y", acr: "1", groups: ["/staff"] }),
    userinfo: all,
  },
  authentik: {
    source: "docs.goauthentik.io/add-secure-apps/providers/oauth2",
    read: "2026-11-27",
    // The issuer ends in a slash, but administrators often copy it without the slash.
    issuer: "https://auth.acme.example/application/o/gw",
    documentIssuer: "https://auth.acme.example/application/o/gw/",
    endpoints: {
      authorization: "https://auth.acme.example/application/o/authorize/",
      token: "https://auth.acme.example/application/o/token/",
      userinfo: "https://auth.acme.example/application/o/userinfo/",
      jwks: "https://auth.acme.example/application/o/gw/jwks/",
    },
    document: { token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"] },
    takes: BOTH,
    refusal: { status: 400, body: { error: "invalid_client", error_description: "Client authentication failed" } },
    prompts: ["none", "login", "consent"],
    authTime: "always",
    namesIssuer: false,
    // The default mapping reports unverified addresses since 2025.10.
    token: (person) => ({ ...all(person), email_verified: false, acr: "goauthentik.io/providers/oauth2/default" }),
    userinfo: (person) => ({ ...all(person), email_verified: false, groups: ["staff"] }),
  },
  authelia: {
    source: "www.authelia.com/configuration/identity-providers/openid-connect/clients, …/openid-connect-1.0-claims",
    read: "2026-11-27",
    issuer: "https://login.acme.example",
    endpoints: {
      authorization: "https://login.acme.example/api/oidc/authorization",
      token: "https://login.acme.example/api/oidc/token",
      userinfo: "https://login.acme.example/api/oidc/userinfo",
      jwks: "https://login.acme.example/jwks.json",
    },
    document: {
      token_endpoint_auth_methods_supported: [...BOTH, "client_secret_jwt", "private_key_jwt", "none"],
      userinfo_signing_alg_values_supported: ["none", "RS256"],
      code_challenge_methods_supported: ["S256"],
    },
    // A client is registered for one method, by default this one; discovery lists more.
    takes: ["client_secret_basic"],
    refusal: {
      status: 401,
      body: {
        error: "invalid_client",
        error_description:
          "Client authentication failed (e.g., unknown client, no client authentication included, or unsupported authentication method).",
      },
    },
    prompts: ["none", "login", "consent", "select_account"],
    authTime: "always",
    namesIssuer: true,
    // Since 4.39 the token contains only claims about the sign-in.
    token: () => ({ amr: ["pwd"], azp: "3f1a-client.example~x_y" }),
    userinfo: (person) => ({ ...all(person), groups: ["staff"], rat: 1 }),
    userinfoAsJwt: true,
  },
  auth0: {
    source: "auth0.com/docs/api/authentication, auth0.com/docs/secure/tokens/id-tokens",
    read: "2026-11-27",
    issuer: "https://acme.eu.auth0.com",
    documentIssuer: "https://acme.eu.auth0.com/",
    endpoints: {
      authorization: "https://acme.eu.auth0.com/authorize",
      token: "https://acme.eu.auth0.com/oauth/token",
      userinfo: "https://acme.eu.auth0.com/userinfo",
      jwks: "https://acme.eu.auth0.com/.well-known/jwks.json",
    },
    document: {
      token_endpoint_auth_methods_supported: [...BOTH, "private_key_jwt"],
      id_token_signing_alg_values_supported: ["HS256", "RS256", "PS256"],
    },
    // The default of a new regular web application.
    takes: ["client_secret_post"],
    refusal: { status: 401, body: { error: "access_denied", error_description: "Unauthorized" } },
    prompts: ASKS,
    authTime: "when asked",
    namesIssuer: false,
    token: (person) => ({ ...all(person), nickname: "ada", updated_at: "2026-11-27T08:00:00.000Z" }),
    userinfo: all,
  },
  cognito: {
    source:
      "docs.aws.amazon.com/cognito/latest/developerguide (token-endpoint, userinfo-endpoint, federation-endpoints)",
    read: "2026-11-27",
    issuer: "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_aBcDeFgHi",
    endpoints: {
      authorization: "https://acme.auth.eu-central-1.amazoncognito.com/oauth2/authorize",
      token: "https://acme.auth.eu-central-1.amazoncognito.com/oauth2/token",
      userinfo: "https://acme.auth.eu-central-1.amazoncognito.com/oauth2/userInfo",
      jwks: "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_aBcDeFgHi/.well-known/jwks.json",
    },
    document: { token_endpoint_auth_methods_supported: [...BOTH] },
    takes: BOTH,
    refusal: { status: 400, body: { error: "invalid_client" } },
    prompts: ["none", "login", "select_account", "consent"],
    authTime: "always",
    namesIssuer: false,
    token: ({ email, name }) => ({
      email,
      name,
      "cognito:username": "ada",
      "cognito:groups": ["staff"],
      token_use: "id",
    }),
    // Booleans are strings.
    userinfo: ({ email, name }) => ({ email, email_verified: "true", name, username: "ada" }),
  },
  gitlab: {
    source: "docs.gitlab.com/integration/openid_connect_provider",
    read: "2026-11-27",
    issuer: "https://gitlab.acme.example",
    endpoints: {
      authorization: "https://gitlab.acme.example/oauth/authorize",
      token: "https://gitlab.acme.example/oauth/token",
      userinfo: "https://gitlab.acme.example/oauth/userinfo",
      jwks: "https://gitlab.acme.example/oauth/discovery/keys",
    },
    document: { token_endpoint_auth_methods_supported: [...BOTH] },
    takes: BOTH,
    refusal: INVALID_CLIENT,
    prompts: ASKS,
    authTime: "always",
    namesIssuer: false,
    token: (person) => ({ ...all(person), nickname: "ada", groups_direct: ["acme/staff"] }),
    userinfo: (person) => ({ ...all(person), groups: ["acme", "acme/staff"] }),
  },
} satisfies Record<string, Profile>;

type ProviderName = keyof typeof PROFILES;
export const NAMES = Object.keys(PROFILES) as ProviderName[];

/** Settings that gw's docs list for each provider in addition to issuer, id and secret. */
export const SETTINGS: Partial<Record<ProviderName, Readonly<Record<string, string>>>> = {
  entra: { EMAILS_VERIFIED: "true" },
  authentik: { EMAILS_VERIFIED: "true" },
};
