type Headers = Readonly<Record<string, string>>;

/** As W3C Trace Context writes it: version, trace, parent, flags; neither id is all zeros. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;
/** What every party has to pass on; of a longer one nothing is. */
const MAX_TRACESTATE_LENGTH = 512;

/**
 * The headers for a supplier with the client's trace context among them, so that a trace does not end at the gateway. What is
 * no trace context is left out, and `tracestate` goes with a `traceparent` only.
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
