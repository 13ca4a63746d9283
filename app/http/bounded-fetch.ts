/** An answer that is longer than anybody needs. */
class AnswerTooLarge extends Error {
  override readonly name = "AnswerTooLarge";
  override readonly message = "the answer is too large";
}

export type FetchBounds = {
  /** For the whole exchange, the last byte of the answer included. */
  timeoutMs: number;
  /** Of the answer's body, after decompression. */
  maxBytes: number;
};

/**
 * Fetches as `fetch` does, but reads the whole answer before it resolves, within bounds, and follows no redirect: one that
 * leads elsewhere would take secrets along. For addresses that the operator has named.
 * @throws AnswerTooLarge, DOMException TimeoutError, TypeError when there is no connection.
 */
export async function boundedFetch(url: string | URL, init: RequestInit, bounds: FetchBounds): Promise<Response> {
  const limit = AbortSignal.timeout(bounds.timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
  const response = await fetch(url, { ...init, redirect: "manual", signal });
  const body = await bytesOf(response, bounds.maxBytes);
  const headers = new Headers(response.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  // Only an answer without a body may have a status such as 204.
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
    // The rest is not read: this ends the connection.
    await reader?.cancel();
    throw new AnswerTooLarge();
  }
  return Buffer.concat(pieces);
}
