import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { readConfig } from "~/config.server";
import { addressIn, clientAddress } from "./client-address";

const CLIENT = "203.0.113.9";
const V6 = "2001:db8::17";

/** The client address of a request through a proxy at 10.0.0.1. */
function from(headers: Record<string, string | string[]>, env: Record<string, string>, peer = "::ffff:10.0.0.1") {
  const incoming = { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage;
  return clientAddress(incoming, readConfig(env).trustProxy);
}
const forwarded = (value: string | undefined, proxies: string, peer?: string) =>
  from(value === undefined ? {} : { "x-forwarded-for": value }, { TRUST_PROXY: proxies }, peer);

describe("behind a number of proxies", () => {
  test.each([
    [undefined, 0, "10.0.0.1"],
    [CLIENT, 0, "10.0.0.1"],
    [CLIENT, 1, CLIENT],
    ["6.6.6.6, 203.0.113.9", 1, CLIENT],
    ["6.6.6.6, 203.0.113.9, 10.0.0.2", 2, CLIENT],
    [undefined, 1, "10.0.0.1"],
    [CLIENT, 3, CLIENT],
    [" , ,203.0.113.9", 1, CLIENT],
    ["203.0.113.9,", 1, CLIENT],
    ["6.6.6.6,\t203.0.113.9 ", 1, CLIENT],
    ["x".repeat(5_000), 1, "10.0.0.1"],
    ["6.6.6.6, unknown", 1, "10.0.0.1"],
    ["6.6.6.6, unknown, 10.0.0.2", 2, "10.0.0.2"],
    ["6.6.6.6, _hidden", 1, "10.0.0.1"],
    ["", 1, "10.0.0.1"],
  ])("forwarded %j behind %i of them is %s", (value, proxies, address) => {
    expect(forwarded(value, String(proxies))).toBe(address);
  });
});

describe("behind proxies in named networks", () => {
  test.each([
    [CLIENT, "10.0.0.0/8", CLIENT],
    ["6.6.6.6, 203.0.113.9, 10.0.0.2", "10.0.0.0/8", CLIENT],
    ["6.6.6.6, 203.0.113.9, 10.0.0.2", "10.0.0.1", "10.0.0.2"],
    ["6.6.6.6, 203.0.113.9, 10.0.0.2", "10.0.0.1,10.0.0.2", CLIENT],
    ["6.6.6.6, 203.0.113.9, 192.168.7.1, 172.16.0.5", "private", CLIENT],
    ["6.6.6.6, 203.0.113.9, 100.64.3.7", "private", CLIENT],
    ["6.6.6.6, 203.0.113.9, 198.51.100.7", "private, 198.51.100.0/24", CLIENT],
    ["6.6.6.6, 2001:db8::17, fd00::5", "private", V6],
    [CLIENT, "192.168.0.0/16", "10.0.0.1"],
    ["10.0.0.3, 10.0.0.2", "10.0.0.0/8", "10.0.0.3"],
    ["6.6.6.6, unknown, 10.0.0.2", "10.0.0.0/8", "10.0.0.2"],
  ])("forwarded %j behind those of %s is %s", (value, proxies, address) => {
    expect(forwarded(value, proxies)).toBe(address);
  });

  test("who comes past them cannot choose an address", () => {
    expect(forwarded("6.6.6.6", "10.0.0.0/8", "203.0.113.9")).toBe(CLIENT);
    expect(forwarded("6.6.6.6", "10.0.0.0/8", "2001:db8::17")).toBe(V6);
  });
});

describe("an address is the same, whoever writes it", () => {
  test.each([
    ["nginx, HAProxy, Traefik, ALB", CLIENT, CLIENT],
    ["Azure Application Gateway, IIS, ALB with ports", "203.0.113.9:50123", CLIENT],
    ["RFC 7239 with a port that is hidden", "203.0.113.9:_port", CLIENT],
    ["nginx from IPv6", "2001:db8::17", V6],
    ["ALB with ports from IPv6", "[2001:db8::17]:50123", V6],
    ["brackets without a port", "[2001:db8::17]", V6],
    ["quotes", '"[2001:db8::17]:50123"', V6],
    ["another spelling", "2001:0DB8:0:0:0:0:0:0017", V6],
    ["a zone", "fe80::1%eth0", "fe80::1"],
    ["IPv4 in IPv6", "::ffff:203.0.113.9", CLIENT],
    ["IPv4 in IPv6, in hexadecimal", "::ffff:cb00:7109", CLIENT],
    ["IPv4 in IPv6 in brackets", "[::ffff:203.0.113.9]:443", CLIENT],
    ["white space", "\t203.0.113.9 ", CLIENT],
  ])("%s: %j", (_, entry, address) => {
    expect(addressIn(entry)).toBe(address);
  });

  test.each([
    "unknown",
    "_x",
    "",
    "-",
    "203.0.113",
    "203.0.113.9.1",
    "300.1.1.1",
    "[2001:db8::17",
    "gw.example",
    "1.2.3.4, 5.6.7.8",
  ])("%j is none", (entry) => expect(addressIn(entry)).toBeNull());
});

describe("the header that the operator names", () => {
  const behind = (header: string, value: string | string[], proxies = "1") =>
    from(
      { [header.toLowerCase()]: value, "x-forwarded-for": "6.6.6.6" },
      { TRUST_PROXY: proxies, TRUST_PROXY_HEADER: header },
    );

  test.each([
    ["Forwarded", "for=203.0.113.9", CLIENT],
    ["Forwarded", "for=203.0.113.9;proto=https;by=203.0.113.43", CLIENT],
    ["Forwarded", 'By=10.0.0.1; Proto=https; For="203.0.113.9:4711"', CLIENT],
    ["Forwarded", 'for="[2001:db8::17]:4711"', V6],
    ["Forwarded", 'for=6.6.6.6, for="[2001:db8::17]"', V6],
    ["Forwarded", 'for=6.6.6.6;host="a,b;for=7.7.7.7", for=203.0.113.9', CLIENT],
    ["Forwarded", 'for="\\203.0.113.9"', CLIENT],
    ["Forwarded", "for=_hidden", "10.0.0.1"],
    ["Forwarded", "for=6.6.6.6, proto=https", "10.0.0.1"],
    ["Forwarded", "for=unknown", "10.0.0.1"],
    ["Forwarded", 'for="203.0.113.9', "10.0.0.1"],
    ["X-Real-IP", CLIENT, CLIENT],
    ["CF-Connecting-IP", V6, V6],
    ["CloudFront-Viewer-Address", "203.0.113.9:46532", CLIENT],
    ["CloudFront-Viewer-Address", "2001:db8::17:46532", V6],
    ["CloudFront-Viewer-Address", "2001:0db8:0:0:0:0:0:0017:46532", V6],
    ["CloudFront-Viewer-Address", "[2001:db8::17]:46532", V6],
    ["Forwarded", "for=2001:db8::17", V6],
    ["Forwarded", ["for=6.6.6.6", 'for="[2001:db8::17]:4711";proto=https'], V6],
    ["Cf-Connecting-IPv6", V6, V6],
    ["X-Azure-ClientIP", CLIENT, CLIENT],
    ["Fly-Client-IP", V6, V6],
    ["True-Client-IP", ["6.6.6.6", CLIENT], CLIENT],
  ] as [string, string | string[], string][])("%s: %j", (header, value, address) => {
    expect(behind(header, value)).toBe(address);
  });

  test("is the only one that is read", () => {
    const headers = { forwarded: "for=6.6.6.6", "x-real-ip": "6.6.6.6", "cf-connecting-ip": "6.6.6.6" };
    expect(from(headers, { TRUST_PROXY: "1" })).toBe("10.0.0.1");
    expect(
      from({ forwarded: "for=6.6.6.6, for=203.0.113.9" }, { TRUST_PROXY: "2", TRUST_PROXY_HEADER: "forwarded" }),
    ).toBe("6.6.6.6");
  });

  test("is not read in long time, whatever stands in it", () => {
    const long = 'for="'.repeat(3_000);
    expect(behind("Forwarded", long)).toBe("10.0.0.1");
    expect(behind("Forwarded", ";for=".repeat(3_000), "10")).toBe("10.0.0.1");
  });
});
