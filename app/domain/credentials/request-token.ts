import { request } from "undici";

/** Endpoint and credentials of a token renewal. */
export type Renewal = { tokenUrl: string; clientId: string; refreshToken: string };

/**
 * Response of the token endpoint. `refreshToken` null: the previous one stays valid; `expiresInSeconds` null: not
 * reported.
 */
export type RenewedToken = { accessToken: string; refreshToken: string | null; expiresInSeconds: number | null };

/**
 * The token endpoint returned no token. `errorKind` is the endpoint's error code, or gw's name of the error; never a
 * secret.
 */
export class RenewalFailed extends Error {
  override readonly name = "RenewalFailed";
  readonly errorKind: string;
  /** The refresh token itself was rejected: a retry cannot succeed. */
  readonly isFinal: boolean;

  constructor(errorKind: string, more: { isFinal?: boolean; cause?: unknown } = {}) {
    super(`the token could not be renewed: ${errorKind}`, more.cause === undefined ? undefined : { cause: more.cause });
    this.errorKind = errorKind;
    this.isFinal = more.isFinal ?? false;
  }
}

/** Maximum duration of a renewal in milliseconds; its lease lasts longer. */
export const RENEWAL_TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

/**
 * Requests a new access token from a token endpoint (RFC 6749, section 6), once; does not follow redirects.
 * @throws RenewalFailed
 */
export async function requestToken({ tokenUrl, clientId, refreshToken }: Renewal): Promise<RenewedToken> {
  const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken, client_id: clientId });
  const { status, text } = await post(tokenUrl, form.toString());
  const body = objectIn(text);
  if (status < 200 || status >= 300) throw refused(status, body);
  const { access_token, refresh_token, expires_in } = body;
  if (!isToken(access_token)) throw new RenewalFailed("invalid_response");
  return {
    accessToken: access_token,
    refreshToken: typeof refresh_token === "string" && refresh_token !== "" ? refresh_token : null,
    expiresInSeconds: lifetimeOf(expires_in),
  };
}

async function post(url: string, body: string): Promise<{ status: number; text: string }> {
  try {
    const response = await request(url, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        accept: "application/json",
        "accept-encoding": "identity",
        "user-agent": "gw",
      },
      body,
      signal: AbortSignal.timeout(RENEWAL_TIMEOUT_MS),
    });
    let text = "";
    for await (const chunk of response.body) {
      text += chunk;
      if (text.length > MAX_BYTES) throw new RenewalFailed("invalid_response");
    }
    return { status: response.statusCode, text };
  } catch (cause) {
    if (cause instanceof RenewalFailed) throw cause;
    const isTimeout = cause instanceof Error && cause.name === "TimeoutError";
    throw new RenewalFailed(isTimeout ? "timeout" : "network", { cause });
  }
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The endpoint's error code, which may be `error` itself or a member of it. */
function refused(status: number, { error }: Record<string, unknown>): RenewalFailed {
  const code = typeof error === "object" && error !== null ? (error as { code?: unknown }).code : error;
  const known = typeof code === "string" && /^[a-z][a-z0-9_]{1,59}$/.test(code) ? code : null;
  const isFinal = status < 500 && known !== null && (known === "invalid_grant" || known.startsWith("refresh_token_"));
  return new RenewalFailed(known ?? `http_${status}`, { isFinal });
}

/** Whether a value is valid in a header. */
const isToken = (value: unknown): value is string =>
  typeof value === "string" && value.length <= 16_384 && /^[\x21-\x7e]+$/.test(value);

function lifetimeOf(value: unknown): number | null {
  const seconds = typeof value === "string" ? Number(value) : value;
  return typeof seconds === "number" && seconds > 0 && seconds < 10 * 366 * 86_400 ? seconds : null;
}
