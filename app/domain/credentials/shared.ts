import { z } from "zod";

/** A credential as adapters use it. Lives in memory only, never in a log. */
export type Credential = {
  name: string;
  /** The API key; empty for an OAuth token, which is asked for by its id when it is needed. */
  apiKey: string;
  /** Names an OAuth token that is renewed: `currentToken` knows what it is at this moment. */
  tokenId?: number;
};

/** Members that the account of a program must have, by its type. */
const ACCOUNTS: Readonly<Record<string, readonly string[]>> = {
  service_account: ["client_email", "private_key", "token_uri"],
  client_credentials: ["token_url", "client_id", "client_secret"],
};

/**
 * The account of a program that takes the place of an API key, as JSON without spaces between its members: a service account's key
 * file, or OAuth client credentials. Null for every other text.
 */
export function accountText(text: string): string | null {
  if (!text.startsWith("{")) return null;
  let account: unknown;
  try {
    account = JSON.parse(text);
  } catch {
    return null;
  }
  const members = account as Record<string, unknown>;
  const needed = typeof members.type === "string" ? ACCOUNTS[members.type] : undefined;
  if (needed === undefined || needed.some((name) => typeof members[name] !== "string" || members[name] === ""))
    return null;
  const endpoint = String(members.token_uri ?? members.token_url);
  return URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol) ? JSON.stringify(account) : null;
}

/** A credential as the catalogue file, or a form, brings it. `expiresAt` null: not known. */
export type GivenCredential =
  | { name: string; apiKey: string }
  | {
      name: string;
      accessToken: string | null;
      refreshToken: string;
      expiresAt: Date | null;
      tokenUrl: string;
      clientId: string;
    };

/** The credentials of one supplier, in the order of its file. */
export type GivenCredentials = { supplierId: number; supplier: string; credentials: readonly GivenCredential[] };

/** A token and which of its credential's tokens it is; a newer one has a higher generation. */
export type Token = { text: string; generation: number };

/** How much of a credential's allowance its supplier says is left. Null: not said. `at` in milliseconds since 1970. */
export type Headroom = {
  requests: { left: number; of: number | null } | null;
  tokens: { left: number; of: number | null } | null;
  /** The share of an allowance that is used, in percent, by the name that the supplier gives it. */
  used: Readonly<Record<string, number>>;
  at: number;
};

/** What can happen to a credential. */
export const TOKEN_EVENT_KINDS = [
  "added",
  "changed",
  "removed",
  "refreshed",
  "refresh_failed",
  "revoked",
  "used_error",
  "cooled",
  "recovered",
] as const;
export type TokenEventKind = (typeof TOKEN_EVENT_KINDS)[number];

/** What noticed it. */
export const TOKEN_EVENT_SOURCES = ["config", "portal", "refresh", "traffic"] as const;
export type TokenEventSource = (typeof TOKEN_EVENT_SOURCES)[number];

/** Something that happened to a credential of a supplier. `detail` is for people and never holds a secret. */
export type TokenEvent = {
  provider: string;
  keyName: string;
  kind: TokenEventKind;
  source: TokenEventSource;
  errorKind?: string | null;
  detail?: string | null;
};

/** A row of the event log as it is shown, in the names of its API. `at` is ISO 8601. */
export type TokenEventView = {
  id: string;
  at: string;
  at_ms: number;
  provider: string;
  key_name: string;
  kind: TokenEventKind;
  source: TokenEventSource;
  error_kind: string | null;
  detail: string | null;
  count: number;
};

const name = z.string().max(200).default("");
const whole = (maximum: number, usual: number) =>
  z.preprocess(
    (value) => (value === "" ? undefined : value),
    z.coerce.number().int().min(0).max(maximum).default(usual),
  );

/** The query of the event log. `kinds` is a comma-separated list; empty texts and zeros do not restrict. */
export const TokenLogQuery = z.object({
  provider: name,
  key_name: name,
  limit: whole(1_000, 100),
  kinds: name.transform((text) =>
    text
      .split(",")
      .map((kind) => kind.trim())
      .filter((kind) => kind !== ""),
  ),
  since_ms: whole(8_640_000_000_000_000, 0),
  offset: whole(1_000_000, 0),
  window_hours: whole(24 * 366, 24),
  source: name,
  error_kind: name,
});
export type TokenLogQuery = z.infer<typeof TokenLogQuery>;

/** A page of the event log, newest first. `total` counts what the query finds without its limit and offset. */
export type TokenLogPage = { events: TokenEventView[]; total: number; limit: number; offset: number };

/** What the database knows of a credential, for an admin page. Times are ISO 8601; never a secret. */
export type CredentialView = {
  id: number;
  supplierId: number;
  supplier: string;
  region: string;
  name: string;
  kind: "api_key" | "oauth";
  source: "config" | "portal";
  /** `revoked`: the token endpoint refuses its refresh token. `expired`: the token is over and could not be renewed yet. */
  state: "usable" | "expired" | "revoked";
  expiresAt: string | null;
  refreshedAt: string | null;
  generation: number;
  failures: number;
  /** When the next try to renew it may be made, after one that failed. */
  retryAt: string | null;
};
