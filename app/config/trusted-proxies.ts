import { BlockList, isIP, isIPv6 } from "node:net";
import { z } from "zod";

/** The proxies that are trusted to report a client's address, and the header that they write. */
export type TrustedProxies = {
  /** Number of proxies, or their networks. */
  proxies: number | BlockList;
  /** Header name in lower case. All headers but `forwarded` contain addresses separated by commas. */
  header: string;
};

const MAX_PROXIES = 10;

/** Networks of the keyword `private`: addresses that are not routed in the Internet. */
const PRIVATE = [
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "169.254.0.0/16",
  "::1",
  "fc00::/7",
  "fe80::/10",
];

/** A number of proxies, or their networks. */
export const proxies = z.string().transform((text, context) => {
  const read = /^\d{1,2}$/.test(text.trim()) ? countOf(text) : networksOf(text);
  if (read !== null) return read;
  context.addIssue({
    code: "custom",
    message: `must be a number from 0 to ${MAX_PROXIES}, or the proxies' networks, such as 10.0.0.0/8, separated by commas`,
  });
  return z.NEVER;
});

/** The name of an HTTP header. */
export const headerName = z
  .string()
  .trim()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, "must be the name of a header, such as X-Forwarded-For")
  .toLowerCase();

function countOf(text: string): number | null {
  const count = Number(text);
  return count <= MAX_PROXIES ? count : null;
}

function networksOf(text: string): BlockList | null {
  const list = new BlockList();
  const named = text.split(",").map((part) => part.trim());
  for (const network of named.flatMap((name) => (name === "private" ? PRIVATE : [name]))) {
    const [address = "", prefix, ...more] = network.split("/");
    const bits = isIPv6(address) ? 128 : 32;
    const length = prefix === undefined ? bits : Number(prefix);
    if (isIP(address) === 0 || more.length > 0 || !/^\d{1,3}$/.test(prefix ?? "0") || length > bits) return null;
    list.addSubnet(address, length, bits === 128 ? "ipv6" : "ipv4");
  }
  return list;
}
