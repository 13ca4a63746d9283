import { type LookupAddress, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Addresses that are not on the public internet: RFC 6890 and the IANA registries of special-purpose addresses. */
const SPECIAL = new BlockList();
for (const range of [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24",
  "192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
].flatMap((line) => line.split(" "))) {
  const [net = "", bits] = range.split("/");
  SPECIAL.addSubnet(net, Number(bits), "ipv4");
}
const GLOBAL = new BlockList();
GLOBAL.addSubnet("2000::", 3, "ipv6");
// Special ranges inside the global range: tunnels to IPv4 addresses, protocol assignments, documentation.
for (const [net, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  SPECIAL.addSubnet(net, bits, "ipv6");

/** Whether an address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !SPECIAL.check(address, "ipv4");
  return family === 6 && GLOBAL.check(address, "ipv6") && !SPECIAL.check(address, "ipv6");
}

/** A host has an address that is not on the public internet. */
export class PrivateAddress extends Error {
  override readonly name = "PrivateAddress";
  override readonly message = "the address is not a public one";
}

/**
 * Resolves a host for a connection, and rejects it when any of its addresses is not public. The connection uses the
 * checked address, so a later change of the DNS record has no effect.
 */
export const publicLookup: LookupFunction = (host, options, answer) => {
  lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return answer(error, "", 0);
    const [first] = addresses;
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
      return answer(new PrivateAddress(), "", 0);
    if (options.all) return answer(null, addresses);
    answer(null, first.address, first.family);
  });
};

/** Whether a user's URL may be called: https, without a password, and not a literal address of a private network. */
export function isAllowedUrl(text: string, allowPrivate: boolean): boolean {
  if (text.length > 2_000 || !URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  if (username !== "" || password !== "") return false;
  if (allowPrivate) return protocol === "https:" || protocol === "http:";
  const host = hostname.replace(/^\[|\]$/g, "");
  return protocol === "https:" && (isIP(host) === 0 || isPublicAddress(host));
}

/** Returns an allowed URL in its stored form: scheme and host in lower case. */
export const normalisedUrl = (url: string): string => new URL(url).href;
