import { boundedFetch } from "~/http/bounded-fetch";

const BOUNDS = { timeoutMs: 10_000, maxBytes: 256 * 1024 };

/** A provider that answers with a fault of its own. */
class ProviderFailed extends TypeError {
  override readonly name = "ProviderFailed";
}

/** A provider that says no, in the words of OAuth 2. */
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
 * Asks a provider for JSON, an object or a list.
 * @throws TypeError when it cannot be reached or has failed; Error for any other answer, with its `error` where it names one.
 */
export async function fetchObject(url: string, init: RequestInit): Promise<object> {
  const headers = { ...init.headers, accept: "application/json", "user-agent": "gw" };
  const response = await boundedFetch(url, { ...init, headers }, BOUNDS);
  if (response.status >= 500) throw new ProviderFailed(`the provider answered ${response.status}`);
  // Its text may hold a token, which a parser's message would repeat.
  const body: unknown = await response.json().catch(() => null);
  const { error, error_description } = (body ?? {}) as { error?: unknown; error_description?: unknown };
  // Some say it with status 200.
  if (typeof error === "string") throw new ProviderRefused(response.status, error, error_description);
  if (response.status !== 200) throw new Error(`the provider answered ${response.status}`);
  if (typeof body !== "object" || body === null) throw new Error("the answer is no JSON object");
  return body;
}
