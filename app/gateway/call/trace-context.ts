type Headers = Readonly<Record<string, string>>;

/** Format of W3C Trace Context: version, trace id, parent id, flags; neither id is all zeros. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;
/** Length that every party must forward according to W3C; a longer value is dropped. */
const MAX_TRACESTATE_LENGTH = 512;

/**
 * Adds the client's trace context to the headers for a supplier, so that a trace continues beyond the gateway. Drops an
 * invalid trace context, and a `tracestate` without a `traceparent`.
 */
export function withTraceContext(headers: Headers, client: { get(name: string): string | null }): Headers {
  const traceparent = client.get("traceparent");
  if (traceparent === null || !TRACEPARENT.test(traceparent)) return headers;
  const tracestate = client.get("tracestate");
  const isStateKept = tracestate !== null && tracestate !== "" && tracestate.length <= MAX_TRACESTATE_LENGTH;
  return isStateKept && /^[\x20-\x7e\t]+$/.test(tracestate)
    ? { ...headers, traceparent, tracestate }
    : { ...headers, traceparent };
}
