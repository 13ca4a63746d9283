import type { IncomingMessage } from "node:http";
import { isIPv4, isIPv6, SocketAddress } from "node:net";
import { createContext } from "react-router";
import type { TrustedProxies } from "~/config/trusted-proxies";

/** The network address behind a portal request; empty when unknown. */
export const clientAddressContext = createContext("");

/**
 * The client's address: what the socket says, or, behind trusted proxies, what the outermost of them wrote. Whatever a client
 * puts into the header itself stands further left and is never looked at. Where a proxy hides the address, or writes none,
 * that proxy's own counts.
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, "socket" | "headers">,
  { proxies, header }: TrustedProxies,
): string {
  const peer = addressIn(socket.remoteAddress ?? "") ?? "";
  if (proxies === 0) return peer;
  const lines = [headers[header] ?? []].flat();
  const told = header === "forwarded" ? lines.flatMap(forwardedFor) : lines.flatMap((line) => line.split(","));
  // The nearest first: the proxy that is connected, then whom it was connected to, and so on outwards.
  const chain = told.filter((hop) => hop.trim() !== "").toReversed();
  let client = peer;
  for (const [at, hop] of chain.entries()) {
    const isTrusted = typeof proxies === "number" ? at < proxies : isIn(proxies, client);
    const next = addressIn(hop);
    if (!isTrusted || next === null) break;
    client = next;
  }
  return client;
}

/** The address in one entry, as it is written everywhere; null for `unknown`, a pseudonym such as `_hidden`, and the like. */
export function addressIn(entry: string): string | null {
  const bare = entry.trim().replace(/^"(.*)"$/, "$1");
  const inBrackets = /^\[([^\]]+)\](?::\w+)?$/.exec(bare)?.[1];
  const address = (inBrackets ?? bare.replace(/^(\d+\.\d+\.\d+\.\d+):\w+$/, "$1")).replace(/%.*$/, "");
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return null;
  // One form for one address, whoever wrote it; an IPv4 address stays one in the clothes of IPv6.
  return new SocketAddress({ address, family: "ipv6" }).address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, "");
}

const isIn = (networks: Exclude<TrustedProxies["proxies"], number>, address: string): boolean =>
  address !== "" && networks.check(address, isIPv6(address) ? "ipv6" : "ipv4");

/** What stands behind `for=` in each element of a line of `Forwarded` (RFC 7239); an element without one hides the address. */
function forwardedFor(line: string): string[] {
  const elements = line.match(/(?:[^,"]|"(?:\\.|[^"\\])*")+/g) ?? [];
  return elements.map((element) => {
    const [, quoted, plain] = /(?:^|;)\s*for\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;,\s"]*))/i.exec(element) ?? [];
    return quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "unknown";
  });
}
