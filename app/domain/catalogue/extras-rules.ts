/** Location of an extra: a request header, a query parameter, or the name of the header for the key. */
export const EXTRA_PLACES = ["header", "query", "key_header"] as const;
export type ExtraPlace = (typeof EXTRA_PLACES)[number];

/** Maximum number of headers, and of parameters. */
export const MAX_EXTRAS = 20;

/** Headers that describe the connection or the body, or that gw sets itself. */
const RESERVED = new Set([
  ...["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "host", "expect", "content-length"],
  ...["content-type", "content-encoding", "accept", "accept-encoding", "user-agent", "x-request-id", "traceparent"],
  "tracestate",
]);

/** Assigning to this name would set an object's prototype instead of an entry, so the value would be lost. */
const isEntryName = (text: string): boolean => text.toLowerCase() !== "__proto__";

/** Whether a text is a valid header name, in any case. */
export const isHeaderName = (text: string): boolean =>
  /^[a-zA-Z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(text) && isEntryName(text);

/** Whether gw sets this header itself. */
export function isOwnHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED.has(lower) || lower.startsWith("proxy-");
}

/** Whether a text is a valid name of a query parameter. */
export const isParameterName = (text: string): boolean => /^[\w.$-]{1,100}$/.test(text) && isEntryName(text);

/** Whether gw sets this parameter itself: `alt` selects the stream format of Google's API. */
export const isOwnParameter = (name: string): boolean => name === "alt";

/** Whether a text is a valid value of a header or parameter: printable ASCII without a space at either end. */
export const isExtraValue = (text: string): boolean => /^[\x21-\x7e](?:[\x20-\x7e]{0,3998}[\x21-\x7e])?$/.test(text);
