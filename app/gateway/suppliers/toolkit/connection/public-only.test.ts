import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import type { Supplier } from "~/domain/catalogue/shared";
import { PrivateAddress } from "~/network/public-address";
import { closePools, poolOf } from "./pools";

let calls = 0;
const server = createServer((_request, response) => {
  calls += 1;
  response.end("ok");
});
await new Promise<void>((ready) => server.listen(0, ready));
const { port } = server.address() as AddressInfo;
afterAll(async () => {
  await closePools();
  server.close();
});

const ask = async (host: string, publicOnly: boolean) => {
  const { pool } = poolOf({ baseUrl: `http://${host}:${port}/v1`, publicOnly } as Supplier);
  const { statusCode, body } = await pool.request({ path: "/", method: "GET" });
  await body.dump();
  return statusCode;
};

test.each(["localhost", "127.0.0.1", "[::1]"])("reaches %s only for a supplier that may be private", async (host) => {
  const before = calls;
  await expect(ask(host, true)).rejects.toBeInstanceOf(PrivateAddress);
  expect(calls).toBe(before);
  expect(await ask(host, false)).toBe(200);
  await expect(ask(host, true)).rejects.toBeInstanceOf(PrivateAddress);
  expect(calls).toBe(before + 1);
});
