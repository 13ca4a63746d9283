import { boundedFetch } from "~/http/bounded-fetch";

const BOUNDS = { timeoutMs: 10_000, maxBytes: 256 * 1024 };

/** The provider returned an error of its own (5xx). */
class ProviderFailed extends TypeError {
  override readonly name = "ProviderFailed";
}

/** The provider returned an OAuth 2 error. */
class ProviderRefused extends Error {
  override readonly name = "ProviderRefused";
  constructor(
    readonly status: number,
    readonly error: string,
    readonly error_description: unknown,
  ) {
    super("the provider says no");
  }
}

/**
 * Fetches JSON from a provider: an object or a list.
 * @throws TypeError when the provider is unreachable or has failed; Error for any other response, with its `error` if
 *   present.
 */
export async function fetchObject(url: string, init: RequestInit): Promise<object> {
  const headers = { ...init.headers, accept: "application/json", "user-agent": "gw" };
  const response = await boundedFetch(url, { ...init, headers }, BOUNDS);
  if (response.status >= 500) throw new ProviderFailed(`the provider answered ${response.status}`);
  // The body may contain a token, which a parser's error message would repeat.
  const body: unknown = await response.json().catch(() => null);
  const { error, error_description } = (body ?? {}) as { error?: unknown; error_description?: unknown };
  // Some providers return errors with status 200.
  if (typeof error === "string") throw new ProviderRefused(response.status, error, error_description);
  if (response.status !== 200) throw new Error(`the provider answered ${response.status}`);
  if (typeof body !== "object" || body === null) throw new Error("the answer is no JSON object");
  return body;
}
