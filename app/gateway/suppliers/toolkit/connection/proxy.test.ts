import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Supplier } from "~/domain/catalogue/shared";
import { PrivateAddress } from "~/network/public-address";
import { post } from "../post";
import { closePools, poolFigures, poolOf } from "./pools";
import { setEgressProxy } from "./proxy";

let supplier: Server;
let proxy: Server;
let connects: { to: string; authorization: string | undefined }[] = [];
const sockets = new Set<Socket>();

const listening = (server: Server) =>
  new Promise<number>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
  );
let supplierPort = 0;
let proxyUrl = "";

beforeEach(async () => {
  connects = [];
  supplier = createServer((request, response) => {
    if (request.url === "/v1/hang-up") {
      response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
      response.write("data: 1\n\n");
      setTimeout(() => response.end(), 60);
    } else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(request.headers));
  });
  proxy = createServer();
  proxy.on("connect", (request, client: Socket) => {
    connects.push({ to: request.url ?? "", authorization: request.headers["proxy-authorization"] });
    const port = Number(request.url?.split(":")[1]);
    if (request.url?.startsWith("refused.example")) return client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    const onward = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(client).pipe(onward);
    });
    for (const socket of [client, onward]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
    }
  });
  supplierPort = await listening(supplier);
  proxyUrl = `http://gw:secret@127.0.0.1:${await listening(proxy)}`;
});
afterEach(async () => {
  setEgressProxy(null);
  await closePools();
  for (const socket of sockets) socket.destroy();
  supplier.closeAllConnections();
  supplier.close();
  proxy.close();
});

const ask = (host: string, path = "/ask", publicOnly = false) => {
  const { pool, basePath } = poolOf({ baseUrl: `http://${host}:${supplierPort}/v1`, publicOnly } as Supplier);
  const stream = path === "/hang-up";
  return post({
    pool,
    path: `${basePath}${path}`,
    headers: { "x-mine": "1" },
    body: "{}",
    stream,
    timeoutMs: 2_000,
    idleTimeoutMs: 2_000,
  });
};

test("calls leave through the proxy, one tunnel for all of an origin, and the supplier sees nothing of it", async () => {
  setEgressProxy({ http: proxyUrl, https: null, none: "" });
  for (let call = 0; call < 3; call += 1) {
    const reply = await ask("supplier.example").reply;
    if (reply.kind !== "whole") throw new Error("not whole");
    const headers = JSON.parse(reply.body.toString());
    expect(headers).toMatchObject({ "x-mine": "1", host: `supplier.example:${supplierPort}` });
    expect(Object.keys(headers).filter((name) => name.startsWith("proxy-"))).toEqual([]);
    // A connection becomes free only after its answer has ended.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const authorization = `Basic ${Buffer.from("gw:secret").toString("base64")}`;
  expect(connects).toEqual([{ to: `supplier.example:${supplierPort}`, authorization }]);
  expect(poolFigures()).toEqual([{ origin: `http://supplier.example:${supplierPort}`, connections: 1, waiting: 0 }]);
});

test("hosts of NO_PROXY, and http addresses without HTTP_PROXY, are reached directly", async () => {
  setEgressProxy({ http: proxyUrl, https: null, none: "localhost,127.0.0.1" });
  expect((await ask("127.0.0.1").reply).status).toBe(200);
  await closePools();
  setEgressProxy({ http: null, https: proxyUrl, none: "" });
  expect((await ask("127.0.0.1").reply).status).toBe(200);
  expect(connects).toEqual([]);
});

test("a proxy that refuses, or is not there, is a supplier that cannot be reached", async () => {
  setEgressProxy({ http: proxyUrl, https: null, none: "" });
  await expect(ask("refused.example").reply).rejects.toMatchObject({ kind: "connect", executed: "no" });
  setEgressProxy({ http: "http://127.0.0.1:9", https: null, none: "" });
  await expect(ask("elsewhere.example").reply).rejects.toMatchObject({ kind: "connect", executed: "no" });
});

test("a private address stays refused for a supplier that must be public", async () => {
  setEgressProxy({ http: proxyUrl, https: null, none: "" });
  await expect(ask("127.0.0.1", "/ask", true).reply).rejects.toMatchObject({ cause: expect.any(PrivateAddress) });
  expect(connects).toEqual([]);
});

test("a supplier may hang up while its reader is slow, behind a proxy too", async () => {
  setEgressProxy({ http: proxyUrl, https: null, none: "" });
  const reply = await ask("supplier.example", "/hang-up").reply;
  if (reply.kind !== "stream") throw new Error("not a stream");
  const { source } = reply;
  const read = await new Promise<string>((resolve, reject) => {
    let text = "";
    source.start({
      data(chunk) {
        text += chunk.toString();
        source.pause();
        setTimeout(() => source.resume(), 200);
      },
      end: () => resolve(text),
      fail: reject,
    });
  });
  expect(read).toBe("data: 1\n\n");
});
