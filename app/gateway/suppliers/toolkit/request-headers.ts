type Headers = Record<string, string>;

/**
 * The headers of a JSON request to a supplier. What gw sets itself stays; of `more`, the later ones win over the earlier.
 * One literal that grows: an object that is spread together is kept as a dictionary, and costs as much as reading the body.
 */
export function requestHeaders(
  own: { callId: string; accept: string; secret: readonly [name: string, value: string] | null },
  ...more: (Readonly<Headers> | undefined)[]
): Headers {
  const headers: Headers = {
    "content-type": "application/json",
    accept: own.accept,
    // One decoder less to attack, and no compression to undo for every event.
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
