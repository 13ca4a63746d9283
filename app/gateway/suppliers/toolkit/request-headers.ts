type Headers = Record<string, string>;

/**
 * Builds the headers of a JSON request to a supplier. gw's own headers take precedence; among `more`, later objects
 * override earlier ones. Extends one literal instead of a spread, because a spread puts V8 into dictionary mode and
 * costs as much as parsing the body.
 */
export function requestHeaders(
  own: { callId: string; accept: string; secret: readonly [name: string, value: string] | null },
  ...more: (Readonly<Headers> | undefined)[]
): Headers {
  const headers: Headers = {
    "content-type": "application/json",
    accept: own.accept,
    // One decoder less as attack surface, and no decompression per event.
    "accept-encoding": "identity",
    "user-agent": "gw",
    "x-request-id": own.callId,
  };
  if (own.secret !== null) headers[own.secret[0]] = own.secret[1];
  for (let i = more.length - 1; i >= 0; i -= 1) {
    for (const name in more[i]) headers[name] ??= more[i]![name]!;
  }
  return headers;
}
