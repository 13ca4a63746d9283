/** Where a supplier's extra stands: in the header of a request, in its query, or as the name of the header that its key goes in. */
export const EXTRA_PLACES = ["header", "query", "key_header"] as const;
export type ExtraPlace = (typeof EXTRA_PLACES)[number];

/** So many headers, and so many parameters. */
export const MAX_EXTRAS = 20;

/** Headers that describe the connection or the body, or that gw itself answers for. */
const RESERVED = new Set([
  ...["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "host", "expect", "content-length"],
  ...["content-type", "content-encoding", "accept", "accept-encoding", "user-agent", "x-request-id", "traceparent"],
  "tracestate",
]);

/** Among the names of an object this one is no entry of its own, so that what is stored under it would be lost. */
const isEntryName = (text: string): boolean => text.toLowerCase() !== "__proto__";

/** Whether a text can be the name of a header, in any case. */
export const isHeaderName = (text: string): boolean =>
  /^[a-zA-Z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(text) && isEntryName(text);

/** Whether gw sets a header itself. */
export function isOwnHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED.has(lower) || lower.startsWith("proxy-");
}

/** Whether a text can be the name of a query parameter. */
export const isParameterName = (text: string): boolean => /^[\w.$-]{1,100}$/.test(text) && isEntryName(text);

/** Whether gw sets a parameter itself: Google's API answers a stream in a format that this one says. */
export const isOwnParameter = (name: string): boolean => name === "alt";

/** Whether a text can be what a header or a parameter holds: printable ASCII without a space at either end. */
export const isExtraValue = (text: string): boolean => /^[\x21-\x7e](?:[\x20-\x7e]{0,3998}[\x21-\x7e])?$/.test(text);
