import { z } from "zod";
import { ConfigError } from "./error";
import { flag, webAddress } from "./fields";

/** How gw authenticates at a provider's token endpoint, by the names of OpenID Connect. */
export const CLIENT_AUTHENTICATIONS = ["client_secret_basic", "client_secret_post"] as const;
export type ClientAuthentication = (typeof CLIENT_AUTHENTICATIONS)[number];

/** An OpenID Connect provider; its endpoints and keys come from the issuer's discovery document. */
export type OpenIdProvider = {
  kind: "oidc";
  issuer: string;
  /** URL of the discovery document; null: the standard path below the issuer. */
  discoveryUrl: string | null;
  clientId: string;
  clientSecret: string;
  /** Null: a method that the discovery document offers. */
  clientAuthentication: ClientAuthentication | null;
  label: string;
  scopes: readonly string[];
  /** Names of claims, nested names with dots. `emailVerified` null: no claim has it. */
  fields: { email: string; emailVerified: string | null; name: string };
  /** The operator's word that it confirms every address itself. */
  emailsVerified: boolean;
};

/** A plain OAuth 2 provider, whose user profile has its own format. */
export type OAuth2Provider = {
  kind: "oauth2";
  clientId: string;
  clientSecret: string;
  clientAuthentication: ClientAuthentication;
  label: string;
  authorisationUrl: string;
  tokenUrl: string;
  profileUrl: string;
  /** URL of the list of a user's email addresses; null: the address is in the profile. */
  emailsUrl: string | null;
  scopes: readonly string[];
  /** Paths of values in its responses, nested names with dots. `emailVerified` null: not reported. */
  fields: { subject: string; email: string; emailVerified: string | null; name: string };
  /** The operator's word that it confirms every address itself. */
  emailsVerified: boolean;
};

export type IdentityProvider = OpenIdProvider | OAuth2Provider;

type Letter = "A" | "B";

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

// Responses of plain OAuth 2 providers are not signed: only TLS authenticates them.
const secureAddress = z.string().refine((text) => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username || password || hash) return false;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));
}, "must be an https:// address without user or fragment (http:// for this machine only)");

const fieldPath = z
  .string()
  .max(200, "takes at most 200 characters")
  .regex(/^[\w:/-]+(\.[\w:/-]+)*$/, "must be the name of a field, such as id or data.id");

const scopes = z
  .string()
  .max(1_000, "takes at most 1000 characters")
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, "must be scopes with one space between them");

// Values copied from a console often end with a line break, which is not part of the value.
const text = z.string().trim();

/** Defines the environment variables of one provider; `which` names it in the documentation. */
export function providerVariables<L extends Letter>(letter: L, which: string) {
  const note = (meaning: string, shown = "unset") => ({ meaning: `${which} identity provider: ${meaning}`, shown });
  const fields = {
    KIND: z
      .enum(["oidc", "oauth2"], "must be oidc or oauth2")
      .default("oidc")
      .meta(note("`oidc` (OpenID Connect) or `oauth2` (plain OAuth 2, for providers without discovery).", "oidc")),
    ISSUER: text
      .pipe(webAddress)
      // Consoles often show the URL of the discovery document instead of the issuer.
      .transform((address) => address.replace(/\/\.well-known\/openid-configuration\/?$/, ""))
      .optional()
      .meta(note("OpenID Connect issuer.", "unset: hidden")),
    DISCOVERY_URL: text
      .pipe(webAddress)
      .optional()
      .meta(
        note(
          "where gw reads the OpenID Connect discovery document, if not at the issuer's own address.",
          "beneath the issuer",
        ),
      ),
    CLIENT_ID: text.optional().meta(note("client id.")),
    CLIENT_SECRET: text.optional().meta(note("client secret.")),
    CLIENT_AUTHENTICATION: z
      .enum(CLIENT_AUTHENTICATIONS, `must be ${CLIENT_AUTHENTICATIONS.join(" or ")}`)
      .optional()
      .meta(
        note(
          "how gw shows its secret at the token address: `client_secret_basic` or `client_secret_post`.",
          "by discovery; `client_secret_basic` with `oauth2`",
        ),
      ),
    LABEL: text.optional().meta(note("text of its button.", "host name")),
    AUTHORISATION_URL: secureAddress.optional().meta(note("with `oauth2`, where the browser is sent.")),
    TOKEN_URL: secureAddress.optional().meta(note("with `oauth2`, where the code is exchanged.")),
    PROFILE_URL: secureAddress.optional().meta(note("with `oauth2`, where the profile is read.")),
    EMAILS_URL: secureAddress
      .optional()
      .meta(note("with `oauth2`, where it lists a person's addresses.", "unset: the address is in the profile")),
    SCOPES: scopes.optional().meta(note("the scopes to ask for.", "`openid email profile`; none with `oauth2`")),
    SUBJECT_FIELD: fieldPath.optional().meta(note("with `oauth2`, field of the profile that never changes.", "id")),
    EMAIL_FIELD: fieldPath.optional().meta(note("field or claim with the e-mail address.", "email")),
    EMAIL_VERIFIED_FIELD: fieldPath
      .optional()
      .meta(
        note(
          "field or claim that is `true` when the address is verified.",
          "`email_verified` for the claim `email`; else unset: it does not say",
        ),
      ),
    EMAILS_VERIFIED: flag
      .optional()
      .meta(note("`true`: it verifies every address that it tells, whatever a field says.", "false")),
    NAME_FIELD: fieldPath.optional().meta(note("field or claim with the person's name.", "name")),
  };
  const named = Object.entries(fields).map(([name, field]) => [`IDP_${letter}_${name}`, field]);
  return Object.fromEntries(named) as Named<typeof fields, L>;
}

type Named<Fields, L extends Letter> = { [Name in keyof Fields & string as `IDP_${L}_${Name}`]: Fields[Name] };
type Fields = ReturnType<typeof providerVariables<"A">>;
type Values = z.output<z.ZodObject<Fields>>;
type Name = keyof Fields extends `IDP_A_${infer Rest}` ? Rest : never;

const FOR_OAUTH2 = [
  "AUTHORISATION_URL",
  "TOKEN_URL",
  "PROFILE_URL",
  "EMAILS_URL",
  "SUBJECT_FIELD",
] as const satisfies readonly Name[];

/**
 * Returns the provider that the variables of a letter describe; null: none.
 * @throws ConfigError when the variables contradict each other, or one is missing.
 */
export function identityProviderOf(letter: Letter, values: Readonly<Record<string, unknown>>): IdentityProvider | null {
  const settingOf = <N extends Name>(name: N) => values[`IDP_${letter}_${name}`] as Values[`IDP_A_${N}`];
  const called = (name: Name) => `IDP_${letter}_${name}`;
  return settingOf("KIND") === "oauth2" ? oauth2(settingOf, called) : openId(settingOf, called);
}

type Given = <N extends Name>(name: N) => Values[`IDP_A_${N}`];
type Called = (name: Name) => string;

function openId(settings: Given, called: Called): OpenIdProvider | null {
  const stray = FOR_OAUTH2.find((name) => settings(name) !== undefined);
  if (stray !== undefined) throw new ConfigError(`${called(stray)} needs ${called("KIND")}=oauth2`);
  const [issuer, clientId, clientSecret] = [settings("ISSUER"), settings("CLIENT_ID"), settings("CLIENT_SECRET")];
  if (!issuer && !clientId && !clientSecret && !settings("DISCOVERY_URL")) return null;
  if (!issuer || !clientId || !clientSecret) {
    const names = [called("ISSUER"), called("CLIENT_ID")].join(", ");
    throw new ConfigError(`${names} and ${called("CLIENT_SECRET")} belong together`);
  }
  const scopes = settings("SCOPES")?.split(" ") ?? ["openid", "email", "profile"];
  if (!scopes.includes("openid")) throw new ConfigError(`${called("SCOPES")} must contain openid`);
  const emailsVerified = emailsVerifiedOf(settings, called);
  if (emailsVerified && MANY_TENANTS.test(issuer))
    throw new ConfigError(
      `${called("EMAILS_VERIFIED")}=true needs the issuer of one tenant, https://login.microsoftonline.com/<tenant id>/v2.0, as ${called("ISSUER")}: other tenants give their people any address`,
    );
  const email = settings("EMAIL_FIELD") ?? "email";
  return {
    kind: "oidc",
    issuer,
    discoveryUrl: settings("DISCOVERY_URL") ?? null,
    clientId,
    clientSecret,
    clientAuthentication: settings("CLIENT_AUTHENTICATION") ?? null,
    label: settings("LABEL") ?? new URL(issuer).hostname,
    scopes,
    fields: {
      email,
      // `email_verified` refers only to the standard claim `email`.
      emailVerified: settings("EMAIL_VERIFIED_FIELD") ?? (email === "email" ? "email_verified" : null),
      name: settings("NAME_FIELD") ?? "name",
    },
    emailsVerified,
  };
}

// Issuers of Entra ID that sign in users of any tenant.
const MANY_TENANTS =
  /^https:\/\/login\.(?:[a-z]+\.)?microsoftonline\.[a-z]+\/(?:common|organizations|consumers)(?:\/|$)/i;

function emailsVerifiedOf(settings: Given, called: Called): boolean {
  if (settings("EMAILS_VERIFIED") && settings("EMAIL_VERIFIED_FIELD") !== undefined)
    throw new ConfigError(`${called("EMAILS_VERIFIED")}=true and ${called("EMAIL_VERIFIED_FIELD")} exclude each other`);
  return settings("EMAILS_VERIFIED") ?? false;
}

function oauth2(settings: Given, called: Called): OAuth2Provider {
  const need = (name: "CLIENT_ID" | "CLIENT_SECRET" | "AUTHORISATION_URL" | "TOKEN_URL" | "PROFILE_URL"): string => {
    const value = settings(name);
    if (!value) throw new ConfigError(`${called("KIND")}=oauth2 needs ${called(name)}`);
    return value;
  };
  const stray = (["ISSUER", "DISCOVERY_URL"] as const).find((name) => settings(name) !== undefined);
  if (stray !== undefined) throw new ConfigError(`${called(stray)} has no meaning with ${called("KIND")}=oauth2`);
  const emailsVerified = emailsVerifiedOf(settings, called);
  const authorisationUrl = need("AUTHORISATION_URL");
  return {
    kind: "oauth2",
    clientId: need("CLIENT_ID"),
    clientSecret: need("CLIENT_SECRET"),
    clientAuthentication: settings("CLIENT_AUTHENTICATION") ?? "client_secret_basic",
    label: settings("LABEL") ?? new URL(authorisationUrl).hostname,
    authorisationUrl,
    tokenUrl: need("TOKEN_URL"),
    profileUrl: need("PROFILE_URL"),
    emailsUrl: settings("EMAILS_URL") ?? null,
    scopes: settings("SCOPES")?.split(" ") ?? [],
    fields: {
      subject: settings("SUBJECT_FIELD") ?? "id",
      email: settings("EMAIL_FIELD") ?? "email",
      emailVerified: settings("EMAIL_VERIFIED_FIELD") ?? null,
      name: settings("NAME_FIELD") ?? "name",
    },
    emailsVerified,
  };
}
