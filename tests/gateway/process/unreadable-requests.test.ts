import { connect } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { CATALOGUE } from "~/errors/catalogue";
import { formatMessage } from "~/errors/envelope";
import { type Gateway, startGateway } from "../../support/gateway";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ env: { GW_HEADERS_TIMEOUT_MS: "500" } });
});
afterAll(() => gateway?.close());

type Told = { status: number; body: { error?: Fields } & Partial<Fields> };
type Fields = { code: string; message: string; human_message: string };

/** Sends raw bytes. Returns the answer when the server closes the connection. */
function told(bytes: string): Promise<Told> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(bytes, "latin1")));
    let text = "";
    socket.setTimeout(8_000, () => socket.destroy(new Error("the connection was left open")));
    socket.on("data", (chunk) => (text += chunk));
    socket.on("error", reject);
    socket.on("close", () => {
      const isJson = /content-type: application\/json/i.test(text);
      const body = (isJson && /[{[][\s\S]*[}\]]/.exec(text)?.[0]) || "{}";
      resolve({ status: Number(text.slice(9, 12)), body: JSON.parse(body) });
    });
  });
}

const HOST = "Host: localhost\r\nConnection: close\r\n";
const key = () => `Authorization: Bearer ${gateway.key}\r\n`;
const post = (rest: string) => `POST /v1/chat/completions HTTP/1.1\r\n${HOST}${key()}${rest}`;
const get = (target: string, method = "GET") => `${method} ${target} HTTP/1.1\r\n${HOST}${key()}\r\n`;

const MALFORMED: [string, () => string, number, string][] = [
  ["an unknown method", () => get("/v1/models", "FOO"), 400, "invalid_request"],
  ["a space in the path", () => get("/v1/mo dels"), 400, "invalid_request"],
  ["a backslash in the path", () => get("/v1/mo\\dels"), 400, "invalid_request"],
  ["a backslash in a path of the portal", () => get("/dashboard/mo\\dels"), 400, "invalid_request"],
  ["no path at all", () => get("*", "OPTIONS"), 400, "invalid_request"],
  ["an address of another protocol", () => get("ftp://localhost/v1/models"), 400, "invalid_request"],
  ["a length that is no number", () => post("Content-Length: many\r\n\r\n{}"), 400, "invalid_request"],
  ["two lengths", () => post("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"), 400, "invalid_request"],
  [
    "a length and chunks",
    () => post("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}"),
    400,
    "invalid_request",
  ],
  ["chunks of nonsense", () => post("Transfer-Encoding: chunked\r\n\r\nzz\r\n{}"), 400, "invalid_request"],
  ["no host", () => "GET /v1/models HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "invalid_request"],
  [
    "a host with a path",
    () => "GET /v1/models HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n",
    400,
    "invalid_request",
  ],
  [
    "two hosts",
    () => "GET /v1/models HTTP/1.1\r\nHost: a\r\nhOST: a\r\nConnection: close\r\n\r\n",
    400,
    "invalid_request",
  ],
  [
    // As part of a URL this host keeps its length, and adds a path.
    "a host that hides a path behind a letter",
    () => "GET /x HTTP/1.1\r\nHost: \xfc/v1/xx\r\nConnection: close\r\n\r\n",
    400,
    "invalid_request",
  ],
  ["dot segments", () => get("/x/../v1/models"), 400, "invalid_request"],
  ["encoded dot segments", () => get("/x/%2E%2e/v1/models"), 400, "invalid_request"],
  ["dot segments of a whole address", () => get("http://gw.example.com/x/../v1/models"), 400, "invalid_request"],
  ["an encoded slash", () => get("/v1%2Fmodels"), 400, "invalid_request"],
  ["an encoded slash in the middle", () => get("/dashboard%2fkeys/new"), 400, "invalid_request"],
  ["an encoded backslash", () => get("/x%5c..%5cv1/models"), 400, "invalid_request"],
  ["a fragment", () => get("/health#"), 400, "invalid_request"],
  ["many parameters", () => get(`/pricing?${"a&".repeat(7_000)}`), 414, "request_too_large"],
  ["an expectation", () => post("Expect: much\r\nContent-Length: 2\r\n\r\n{}"), 417, "invalid_request"],
  ["a large header", () => post(`X-Large: ${"x".repeat(20_000)}\r\n\r\n`), 431, "request_too_large"],
  ["many headers", () => post(`${"X-Many: 1\r\n".repeat(120)}Idempotency-Key: lost\r\n\r\n`), 431, "request_too_large"],
  ["headers that stop", () => "GET /v1/models HTTP/1.1\r\nHost: x\r\n", 408, "request_timeout"],
];
test.each(MALFORMED)("%s is refused in the envelope, and the connection ends", async (_what, bytes, status, code) => {
  const { status: got, body } = await told(bytes());
  expect(got).toBe(status);
  expect(body.error).toMatchObject({ code, message: formatMessage(code, body.error!.human_message) });
  expect(CATALOGUE.has(code)).toBe(true);
});

const NOWHERE = ["/v1", "/v2", "/v2/nothing", "//v1/models", "/V1/models", "/%761/models", "/v1/%zz", "/HEALTH"];
test.each(NOWHERE)("%s is nowhere, with every method, and no page says so", async (path) => {
  for (const method of ["GET", "POST", "PUT", "TRACE", "PROPFIND"]) {
    const { status, body } = await told(get(path, method));
    expect([method, status, body.error?.code]).toEqual([method, 404, "not_found"]);
  }
});

test("an address of the portal is refused with the fields of the portal's errors, too", async () => {
  const { status, body } = await told(get("/dashboard/a\\b"));
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: "invalid_request", human_message: "The path must not have a backslash." });
});

test.each([
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["PROXY protocol", "PROXY TCP4 203.0.113.9 10.0.0.1 50123 443\r\nGET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ["PROXY protocol", "\r\n\r\n\0\r\nQUIT\n\x21\x11\x00\x0c\xcb\x00\x71\x09\x0a\x00\x00\x01\xc3\xcb\x01\xbb"],
  ["TLS", "\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00"],
])("%s by mistake is told by its name, to whoever speaks it and in the log", async (name, bytes) => {
  const { status, body } = await told(bytes);
  expect([status, body.error?.code]).toEqual([400, "invalid_request"]);
  expect(body.error?.human_message).toContain(name);
  await expect.poll(() => gateway.output()).toContain(`"protocol":"${name}"`);
});

test("a wish for HTTP/2 in the clear is passed over", async () => {
  const wish =
    "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\nConnection: Upgrade, HTTP2-Settings, close\r\n";
  const { status } = await told(`GET /v1/models HTTP/1.1\r\nHost: localhost\r\n${wish}${key()}\r\n`);
  expect(status).toBe(200);
});

test.each(["LOCALHOST", "localhost.", "GW.Example.COM.:443", "[::1]:3000", ""])(
  "the host may be written %j",
  async (host) => {
    const { status } = await told(`GET /v1/models HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${key()}\r\n`);
    expect(status).toBe(200);
  },
);

test("a proxy that speaks HTTP/1.0 gets whole answers", async () => {
  const old = await told(`GET /v1/models HTTP/1.0\r\nHost: localhost\r\n${key()}\r\n`);
  expect(old.status).toBe(200);
  expect(old).toEqual(await told(get("/v1/models")));
});

test("the whole address, as clients send it to a proxy, leads to the gateway", async () => {
  expect((await told(get("http://gw.example.com/v1/models"))).status).toBe(200);
  expect((await told(get("http://gw.example.com/V1/models", "POST"))).body.error?.code).toBe("not_found");
  expect((await told(get("http://gw.example.com/v1/models", "PUT"))).body.error?.code).toBe("method_not_allowed");
});

test("a health check of the old protocol needs no host", async () => {
  expect(await told("GET /health HTTP/1.0\r\n\r\n")).toEqual({ status: 200, body: { status: "ok" } });
});

test("methods that the portal does not know get their code", async () => {
  for (const method of ["TRACE", "PROPFIND"]) {
    const { status, body } = await told(get("/error-codes.json", method));
    expect([status, body.code]).toEqual([405, "method_not_allowed"]);
  }
});

test("nothing of this counts as a failure of the program", async () => {
  await told(get("/nowhere/at/all"));
  expect(gateway.output()).not.toContain('"level":"error"');
});

test.each([
  ["/v1/images/edits", "multipart/form-data; boundary=b", 413],
  ["/v1/audio/transcriptions", "text/plain", 415],
  ["/v1/chat/completions", "application/json", 413],
  ["/auth/login", "application/x-www-form-urlencoded", 303],
])("a long body to %s is rejected, and its connection serves the next request", async (path, type, status) => {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let text = "";
  const errors: Error[] = [];
  socket.on("data", (chunk) => (text += chunk)).on("error", (error) => errors.push(error));
  const piece = Buffer.alloc(6 * 2 ** 20, "x");
  const headers = `Host: gw\r\n${key()}Sec-Fetch-Site: same-origin\r\nContent-Type: ${type}\r\n`;
  socket.write(`POST ${path} HTTP/1.1\r\n${headers}Content-Length: ${10 * piece.length}\r\n\r\n`);
  // Goes on after the response, for longer than a server that waits only a moment.
  for (let sent = 0; sent < 10; sent += 1) {
    await new Promise<void>((resolve) => socket.write(piece, () => resolve()));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await expect.poll(() => text, { timeout: 10_000 }).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  const { length } = text;
  socket.write("GET /health HTTP/1.1\r\nHost: gw\r\n\r\n");
  await expect.poll(() => text.slice(length), { timeout: 10_000 }).toMatch(/^HTTP\/1\.1 200 /);
  expect(errors).toEqual([]);
});
