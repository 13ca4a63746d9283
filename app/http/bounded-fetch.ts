import { proxiedFetch } from "~/network/proxied-fetch.server";

class AnswerTooLarge extends Error {
  override readonly name = "AnswerTooLarge";
  override readonly message = "the answer is too large";
}

export type FetchBounds = {
  /** Time-out of the whole exchange, up to the last byte of the response. */
  timeoutMs: number;
  /** Maximum size of the response body after decompression. */
  maxBytes: number;
};

/**
 * Fetches as `fetch` does, but reads the whole response within bounds before it resolves. Follows no redirects, because
 * they could send secrets to another host. For addresses that the operator has configured.
 * @throws AnswerTooLarge, DOMException TimeoutError, TypeError when there is no connection.
 */
export async function boundedFetch(url: string | URL, init: RequestInit, bounds: FetchBounds): Promise<Response> {
  const limit = AbortSignal.timeout(bounds.timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
  const response = await proxiedFetch(url, { ...init, redirect: "manual", signal });
  const body = await bytesOf(response, bounds.maxBytes);
  const headers = new Headers(response.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  // A status such as 204 is allowed only without a body.
  return new Response(body.length === 0 ? null : body, { status: response.status, headers });
}

async function bytesOf({ body }: Response, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  const reader = body?.getReader();
  let length = 0;
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
    pieces.push(next.value);
    length += next.value.length;
    if (length <= maxBytes) continue;
    // This closes the connection instead of reading the rest.
    await reader?.cancel();
    throw new AnswerTooLarge();
  }
  return Buffer.concat(pieces);
}
