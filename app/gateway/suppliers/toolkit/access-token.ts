import { importPKCS8, SignJWT } from "jose";
import type { Credential, Supplier } from "~/domain/catalogue/shared";
import type { Exchange, Outgoing } from "../../canonical/exchange";
import { SupplierFailure } from "../../canonical/supplier-failure";
import { poolOf } from "./connection/pools";
import { deferred } from "./deferred";

/** A service account: its token endpoint, and the form that it signs in with. */
type Account = { endpoint: string; form(): Promise<Record<string, string>> };
type Kept = { token: Promise<string>; expiresMs: number };

const tokens = new Map<string, Kept>();

/** Milliseconds before its expiry that a token is renewed. */
const MARGIN_MS = 60_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Returns the access token of an account written as JSON: a service account's key file (`type: service_account`; RFC
 * 7523), or OAuth client credentials (`type: client_credentials`, `token_url`, `client_id`, `client_secret` and, if
 * required, `scope`; RFC 6749, 4.4). The token is cached until it expires; concurrent calls request it once.
 * @throws SupplierFailure `credential` if no token can be obtained.
 */
function accessToken(account: string, supplier: Supplier): Promise<string> {
  const known = tokens.get(account);
  if (known !== undefined && performance.now() < known.expiresMs) return known.token;
  const entry: Kept = { token: Promise.resolve(""), expiresMs: Number.POSITIVE_INFINITY };
  entry.token = requestToken(account, supplier).then(
    ({ text, seconds }) => {
      entry.expiresMs = performance.now() + Math.max(0, seconds * 1_000 - MARGIN_MS);
      return text;
    },
    (error) => {
      tokens.delete(account);
      throw error;
    },
  );
  tokens.set(account, entry);
  return entry.token;
}

/** Whether an API key is the JSON of an account. */
export const isAccount = (apiKey: string): boolean => apiKey.startsWith("{");

/**
 * Sends a request with its credential: at once with a fixed key, or after an account's token is available. If the
 * supplier refuses the token, requests a new one and sends the request again, once: a refused request was not executed.
 * @param send gets the key or the token; `isToken` tells which
 */
export function signedIn(
  { credential, route: { supplier } }: Pick<Outgoing, "credential" | "route">,
  send: (secret: string | null, isToken: boolean) => Exchange,
): Exchange {
  if (credential === null || !isAccount(credential.apiKey)) return send(credential?.apiKey ?? null, false);
  const account = credential.apiKey;
  const withToken = () => deferred(async () => send(await accessToken(account, supplier), true));
  let under = withToken();
  let isAborted = false;
  const reply = under.reply.catch((error: unknown) => {
    if (isAborted || !(error instanceof SupplierFailure) || error.status !== 401) throw error;
    tokens.delete(account);
    under = withToken();
    return under.reply;
  });
  return {
    reply,
    abort() {
      isAborted = true;
      under.abort();
    },
  };
}

/** Returns the headers that authenticate at a supplier with bearer tokens. @throws SupplierFailure */
export async function bearer(supplier: Supplier, credential: Credential | null): Promise<Record<string, string>> {
  if (credential === null) return {};
  const { apiKey } = credential;
  return { authorization: `Bearer ${isAccount(apiKey) ? await accessToken(apiKey, supplier) : apiKey}` };
}

async function requestToken(account: string, supplier: Supplier): Promise<{ text: string; seconds: number }> {
  const { endpoint, form } = accountOf(account);
  let answer: { status: number; body: unknown };
  try {
    answer = await postForm(endpoint, await form(), supplier);
  } catch (cause) {
    throw failure("the token endpoint could not be asked", cause);
  }
  const { access_token: text, expires_in } = (answer.body ?? {}) as Record<string, unknown>;
  if (answer.status !== 200 || typeof text !== "string" || text === "")
    throw failure(`the token endpoint answered ${answer.status}`);
  const seconds = Number(expires_in);
  return { text, seconds: Number.isFinite(seconds) && seconds > 0 ? seconds : 300 };
}

function accountOf(text: string): Account {
  let account: Record<string, unknown>;
  try {
    account = JSON.parse(text);
  } catch (cause) {
    throw failure("the account is not JSON", cause);
  }
  const fieldOf = (name: string): string => {
    const value = account[name];
    if (typeof value !== "string" || value === "") throw failure(`the account has no ${name}`);
    return value;
  };
  if (account.type === "service_account") {
    const [endpoint, email, key] = [fieldOf("token_uri"), fieldOf("client_email"), fieldOf("private_key")];
    return { endpoint, form: () => assertion({ endpoint, email, key }) };
  }
  const form = {
    grant_type: "client_credentials",
    client_id: fieldOf("client_id"),
    client_secret: fieldOf("client_secret"),
    ...(typeof account.scope === "string" ? { scope: account.scope } : {}),
  };
  return { endpoint: fieldOf("token_url"), form: async () => form };
}

async function assertion({ endpoint, email, key }: { endpoint: string; email: string; key: string }) {
  const jwt = new SignJWT({ scope: "https://www.googleapis.com/auth/cloud-platform" })
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setIssuer(email)
    .setAudience(endpoint)
    .setIssuedAt()
    .setExpirationTime("1h");
  return {
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion: await jwt.sign(await importPKCS8(key, "RS256")),
  };
}

async function postForm(endpoint: string, form: Record<string, string>, supplier: Supplier) {
  const { search } = new URL(endpoint);
  const { pool, basePath } = poolOf({ ...supplier, baseUrl: endpoint });
  const response = await pool.request({
    path: `${basePath}${search}`,
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json", "user-agent": "gw" },
    body: new URLSearchParams(form).toString(),
    headersTimeout: supplier.timeoutMs,
    bodyTimeout: supplier.idleTimeoutMs,
  });
  let text = "";
  for await (const chunk of response.body) {
    text += chunk;
    if (text.length > MAX_ANSWER_BYTES) throw new Error("the token endpoint's answer is too long");
  }
  return { status: response.statusCode, body: JSON.parse(text) as unknown };
}

const failure = (message: string, cause?: unknown) =>
  new SupplierFailure("credential", message, { executed: "no", cause });
