import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import type { Supplier } from "~/domain/catalogue/shared";
import { closePools, poolFigures, poolOf } from "./pools";

afterEach(() => closePools());

test("a call does not wait behind more than a thousand that are being answered", async () => {
  const open: ServerResponse[] = [];
  const server = createServer((_, response) => void open.push(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { pool } = poolOf({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } as Supplier);
  const calls = Array.from({ length: 1_100 }, () => pool.request({ path: "/", method: "GET" }));
  try {
    await vi.waitFor(() => expect(open).toHaveLength(calls.length), 20_000);
    expect(poolFigures()).toMatchObject([{ connections: calls.length, waiting: 0 }]);
  } finally {
    for (const response of open) response.end();
    await Promise.allSettled(calls.map(async (call) => (await call).body.dump()));
    server.close();
  }
});
