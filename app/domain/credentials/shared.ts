import { z } from "zod";

/** A credential as supplier adapters use it. In memory only, never in logs. */
export type Credential = {
  name: string;
  /** The API key; empty for an OAuth token, which is requested by its id when needed. */
  apiKey: string;
  /** Id of a renewable OAuth token; `currentToken` returns its current text. */
  tokenId?: number;
};

/** Required members of a service account, by its type. */
const ACCOUNTS: Readonly<Record<string, readonly string[]>> = {
  service_account: ["client_email", "private_key", "token_uri"],
  client_credentials: ["token_url", "client_id", "client_secret"],
};

/**
 * Returns a service account that replaces an API key, as compact JSON: a service account's key file, or OAuth client
 * credentials. Null for any other text.
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

/** A credential from the catalogue file or a form. `expiresAt` null: unknown. */
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

/** A token and its generation; newer tokens have a higher one. */
export type Token = { text: string; generation: number };

/**
 * The remaining allowance of a credential, reported by its supplier. Null: not reported. `at` in milliseconds since
 * 1970.
 */
export type Headroom = {
  requests: { left: number; of: number | null } | null;
  tokens: { left: number; of: number | null } | null;
  /** Used shares of allowances in percent, by the supplier's name of the allowance. */
  used: Readonly<Record<string, number>>;
  at: number;
};

/** Kinds of events of a credential. */
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

/** Origins of events. */
export const TOKEN_EVENT_SOURCES = ["config", "portal", "refresh", "traffic"] as const;
export type TokenEventSource = (typeof TOKEN_EVENT_SOURCES)[number];

/** An event of a supplier's credential. `detail` is for people and never contains a secret. */
export type TokenEvent = {
  provider: string;
  keyName: string;
  kind: TokenEventKind;
  source: TokenEventSource;
  errorKind?: string | null;
  detail?: string | null;
};

/** A row of the event log in the format of its API. `at` is ISO 8601. */
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
const integer = (maximum: number, usual: number) =>
  z.preprocess(
    (value) => (value === "" ? undefined : value),
    z.coerce.number().int().min(0).max(maximum).default(usual),
  );

/** Query of the event log. `kinds` is a comma-separated list; empty texts and zeros do not filter. */
export const TokenLogQuery = z.object({
  provider: name,
  key_name: name,
  limit: integer(1_000, 100),
  kinds: name.transform((text) =>
    text
      .split(",")
      .map((kind) => kind.trim())
      .filter((kind) => kind !== ""),
  ),
  since_ms: integer(8_640_000_000_000_000, 0),
  offset: integer(1_000_000, 0),
  window_hours: integer(24 * 366, 24),
  source: name,
  error_kind: name,
});
export type TokenLogQuery = z.infer<typeof TokenLogQuery>;

/** A page of the event log, newest first. `total` counts all matches, without limit and offset. */
export type TokenLogPage = { events: TokenEventView[]; total: number; limit: number; offset: number };

/** The stored state of a credential, for an admin page. Times are ISO 8601; never a secret. */
export type CredentialView = {
  id: number;
  supplierId: number;
  supplier: string;
  region: string;
  name: string;
  kind: "api_key" | "oauth";
  source: "config" | "portal";
  /**
   * `revoked`: the token endpoint rejects its refresh token. `expired`: the token has expired and could not be renewed
   * yet.
   */
  state: "usable" | "expired" | "revoked";
  expiresAt: string | null;
  refreshedAt: string | null;
  generation: number;
  failures: number;
  /** Earliest time of the next renewal attempt after a failure. */
  retryAt: string | null;
};
