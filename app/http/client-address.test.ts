import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { clientAddress } from "./client-address";

const from = (forwarded: string | undefined, proxies: number, peer = "::ffff:10.0.0.1") =>
  clientAddress(
    { socket: { remoteAddress: peer }, headers: { "x-forwarded-for": forwarded } } as unknown as IncomingMessage,
    proxies,
  );

test.each([
  [undefined, 0, "10.0.0.1"],
  ["203.0.113.9", 0, "10.0.0.1"],
  ["203.0.113.9", 1, "203.0.113.9"],
  ["6.6.6.6, 203.0.113.9", 1, "203.0.113.9"],
  ["6.6.6.6, 203.0.113.9, 10.0.0.2", 2, "203.0.113.9"],
  [undefined, 1, "10.0.0.1"],
  ["203.0.113.9", 3, "203.0.113.9"],
  [" , ,203.0.113.9", 1, "203.0.113.9"],
  ["x".repeat(5_000), 1, "x".repeat(64)],
])("forwarded %j behind %i proxies is %s", (forwarded, proxies, address) => {
  expect(from(forwarded, proxies)).toBe(address);
});
