import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { boundedFetch } from "./bounded-fetch";

setConfig(readConfig({}));

let server: Server;
let url: string;
let elsewhere = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === "/small") return response.end("hello");
    if (request.url === "/empty") return response.writeHead(204).end();
    if (request.url === "/bomb")
      return response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(1_000_000)));
    if (request.url === "/moved") return response.writeHead(307, { location: "/elsewhere" }).end();
    if (request.url === "/elsewhere") elsewhere += 1;
    // The response begins and never ends.
    response.writeHead(200).write("he");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const bounds = { timeoutMs: 5_000, maxBytes: 100_000 };

describe("a bounded answer", () => {
  test("comes whole, with its status", async () => {
    const small = await boundedFetch(`${url}/small`, {}, bounds);
    expect([small.status, await small.text()]).toEqual([200, "hello"]);
    const empty = await boundedFetch(`${url}/empty`, {}, bounds);
    expect([empty.status, await empty.text()]).toEqual([204, ""]);
  });

  test("may not be larger than allowed once it is unpacked", async () => {
    await expect(boundedFetch(`${url}/bomb`, {}, bounds)).rejects.toThrow("too large");
    const large = await boundedFetch(`${url}/bomb`, {}, { ...bounds, maxBytes: 1_000_000 });
    expect((await large.arrayBuffer()).byteLength).toBe(1_000_000);
  });

  test("has to end in time", async () => {
    const late = boundedFetch(`${url}/endless`, {}, { ...bounds, timeoutMs: 50 });
    await expect(late).rejects.toMatchObject({ name: "TimeoutError" });
  });

  test("is not looked for elsewhere", async () => {
    expect((await boundedFetch(`${url}/moved`, { method: "POST", body: "secret" }, bounds)).status).toBe(307);
    expect(elsewhere).toBe(0);
  });
});
