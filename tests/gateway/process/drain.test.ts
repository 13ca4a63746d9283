import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type Gateway, startGateway } from "../../support/gateway";

let gateway: Gateway;
afterEach(() => gateway?.close());

const stream = (model: string, words: number) =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, stream: true, messages: [{ role: "user", content: `${words} words` }] }),
  });

/** Sends a request on a new connection and returns the answer. */
function stranger(method: string, path: string): Promise<Record<string, unknown> & { status: number }> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: gw\r\nAccept: application/json\r\nContent-Length: 0\r\n\r\n`),
    );
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      text += chunk;
      const [head = "", body] = text.split("\r\n\r\n");
      if (body === undefined || Buffer.byteLength(body) < Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0))
        return;
      socket.destroy();
      resolve({
        status: Number(head.slice(9, 12)),
        code: /"code":"(\w+)"/.exec(body)?.[1],
        connection: /^connection: (\S+)/im.exec(head)?.[1],
        retryAfter: /^retry-after: (\S+)/im.exec(head)?.[1],
      });
    });
  });
}

test("asked to stop, the process lets a stream finish, takes nothing new, books everything and exits with 0", async () => {
  gateway = await startGateway();
  const response = await stream("sandbox-chat", 200);
  const reader = response.body!.getReader();
  await reader.read();

  gateway.process.kill("SIGTERM");
  await expect.poll(async () => (await stranger("GET", "/health?ready")).status).toBe(503);
  // New requests still get an answer, and `connection: close` keeps the client from reusing the connection.
  const refused = { status: 503, code: "pod_draining", connection: "close" };
  for (const path of [
    "/v1/chat/completions",
    "/v1/manage/keys",
    "/v1/nothing",
    "//v1/models",
    "/V1/models",
    "/v2/rerank",
  ])
    expect([path, await stranger("POST", path)]).toEqual([path, { ...refused, retryAfter: "1" }]);
  expect(await stranger("GET", "/v1/models")).toMatchObject(refused);
  expect(await stranger("GET", "/health")).toMatchObject({ status: 200, connection: "close" });
  expect(await stranger("GET", "/login")).toMatchObject({ status: 200, connection: "close" });
  // A second signal aborts no request.
  gateway.process.kill("SIGTERM");

  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    text += Buffer.from(value).toString();
  }
  expect(text).toContain("[DONE]");
  expect(await gateway.kill("SIGTERM")).toBe(0);
});

test("after the notice the port is closed, while a stream goes on to its end", async () => {
  gateway = await startGateway();
  const response = await stream("sandbox-chat", 400);
  const reader = response.body!.getReader();
  await reader.read();
  gateway.process.kill("SIGTERM");
  await expect.poll(() => stranger("GET", "/v1/models").catch(() => "closed"), { timeout: 8_000 }).toBe("closed");
  let last = "";
  for (let read = await reader.read(); !read.done; read = await reader.read())
    last = Buffer.from(read.value).toString();
  expect(last).toContain("[DONE]");
  expect(await gateway.kill("SIGTERM")).toBe(0);
});

test("the notice is part of the time that a drain has altogether", async () => {
  gateway = await startGateway({ env: { GW_DRAIN_TIMEOUT_MS: "1000" } });
  const response = await stream("sandbox-chat", 2_000);
  const reader = response.body!.getReader();
  await reader.read();
  const exited = gateway.kill("SIGTERM");
  let text = "";
  for (let read = await reader.read(); !read.done; read = await reader.read())
    text += Buffer.from(read.value).toString();
  expect(text).toContain("stream_interrupted");
  expect(text).not.toContain("[DONE]");
  expect(await exited).toBe(0);
});

test("asked to stop, the process answers the management request that has begun", async () => {
  gateway = await startGateway();
  const headers = { authorization: `Bearer ${gateway.adminKey}`, "content-type": "application/json" };
  const request = httpRequest(`${gateway.url}/v1/manage/keys`, { method: "POST", headers });
  const answered = new Promise<string>((resolve, reject) => {
    request.on("error", reject);
    request.on("response", (response) => {
      let text = "";
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => resolve(text));
    });
  });
  request.write('{"name":');
  // Wait until the gateway has received the beginning.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const exited = gateway.kill("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, 500));
  request.end('"late"}');
  expect(JSON.parse(await answered)).toMatchObject({ name: "late", key: expect.stringMatching(/^gw_/) });
  expect(await exited).toBe(0);
});
