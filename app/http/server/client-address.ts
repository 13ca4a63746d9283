import type { IncomingMessage } from "node:http";
import { isIPv4, isIPv6, SocketAddress } from "node:net";
import { createContext } from "react-router";
import type { TrustedProxies } from "~/config/trusted-proxies";

/** The client's network address of a portal request; empty when unknown. */
export const clientAddressContext = createContext("");

/**
 * Returns the client's address: that of the socket, or, with trusted proxies, the one that the outermost of them
 * reported. Entries that the client itself wrote into the header are further left and are never read. Where a proxy
 * hides the address, or reports none, the address of that proxy is returned.
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, "socket" | "headers">,
  { proxies, header }: TrustedProxies,
): string {
  const peer = addressIn(socket.remoteAddress ?? "") ?? "";
  if (proxies === 0) return peer;
  const lines = [headers[header] ?? []].flat().map((line) => (header === ALWAYS_WITH_PORT ? withoutPort(line) : line));
  const reported = header === "forwarded" ? lines.flatMap(forwardedFor) : lines.flatMap((line) => line.split(","));
  // Nearest hop first: the peer of the connected proxy, then the hops further out.
  const chain = reported.filter((hop) => hop.trim() !== "").toReversed();
  let client = peer;
  for (const [at, hop] of chain.entries()) {
    const isTrusted = typeof proxies === "number" ? at < proxies : isIn(proxies, client);
    const next = addressIn(hop);
    if (!isTrusted || next === null) break;
    client = next;
  }
  return client;
}

/** CloudFront appends a port to every address, and writes IPv6 addresses without brackets. */
const ALWAYS_WITH_PORT = "cloudfront-viewer-address";
const withoutPort = (entry: string): string => entry.replace(/:\d+\s*$/, "");

/**
 * Returns the address in one entry, in canonical form; null for `unknown`, a pseudonym such as `_hidden`, and the like.
 */
export function addressIn(entry: string): string | null {
  const unquoted = entry.trim().replace(/^"(.*)"$/, "$1");
  const inBrackets = /^\[([^\]]+)\](?::\w+)?$/.exec(unquoted)?.[1];
  const address = (inBrackets ?? unquoted.replace(/^(\d+\.\d+\.\d+\.\d+):\w+$/, "$1")).replace(/%.*$/, "");
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return null;
  // Canonical IPv6 form; an IPv4-mapped address becomes plain IPv4.
  return new SocketAddress({ address, family: "ipv6" }).address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, "");
}

const isIn = (networks: Exclude<TrustedProxies["proxies"], number>, address: string): boolean =>
  address !== "" && networks.check(address, isIPv6(address) ? "ipv6" : "ipv4");

/**
 * Returns the `for=` value of each element of a `Forwarded` header (RFC 7239); an element without one hides the
 * address.
 */
function forwardedFor(line: string): string[] {
  const elements = line.match(/(?:[^,"]|"(?:\\.|[^"\\])*")+/g) ?? [];
  return elements.map((element) => {
    const [, quoted, plain] = /(?:^|;)\s*for\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;,\s"]*))/i.exec(element) ?? [];
    return quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "unknown";
  });
}
