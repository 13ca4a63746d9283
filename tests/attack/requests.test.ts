import { afterAll, beforeAll, expect, test } from "vitest";
import { type Portal, startPortal } from "../support/portal";
import { tell } from "./raw-socket";
import { overAll, report } from "./target";

let target: Portal;
beforeAll(async () => {
  target = await startPortal({ env: { GW_HEADERS_TIMEOUT_MS: "1000", GW_REQUEST_TIMEOUT_MS: "1500" } });
}, 120_000);
afterAll(() => target?.close());

const HOST = "Host: localhost\r\n";
const CHAT = '{"model":"sandbox-chat","messages":[{"role":"user","content":"Hi"}],"max_tokens":5}';
const SECOND = `GET /health HTTP/1.1\r\n${HOST}\r\n`;
const post = (rest: string) => `POST /v1/chat/completions HTTP/1.1\r\n${HOST}${rest}`;

/** Requests whose end two servers could read differently. Each gets one error answer and a closed connection. */
const SMUGGLING: readonly string[] = [
  post(`Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SECOND}`),
  post(`Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${SECOND}`),
  post(`Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${SECOND}`),
  post(`Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${SECOND}`),
  post(`Transfer-Encoding: identity\r\nContent-Length: 3\r\n\r\n{} ${SECOND}`),
  post(`Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${SECOND}`),
  post(`Content-Length : 2\r\n\r\n{}${SECOND}`),
  post(`Content-Length: 2\r\nContent-Length: 30\r\n\r\n{}${SECOND}`),
  post(`Content-Length: 2, 30\r\n\r\n{}${SECOND}`),
  post(`Content-Length: +2\r\n\r\n{}${SECOND}`),
  post(`Content-Length: 0x2\r\n\r\n{}${SECOND}`),
  post(`Content-Length: -2\r\n\r\n{}${SECOND}`),
  post(`Content-Length: 2\r\n Folded: yes\r\n\x0b\r\n\r\n{}${SECOND}`),
  post(`Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n${SECOND}`),
  post(`Transfer-Encoding: chunked\r\n\r\n-1\r\n{}\r\n0\r\n\r\n${SECOND}`),
  post(`Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n0\r\n\r\n${SECOND}`),
  post(`Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n${SECOND}`),
  post(`X: a\x00b\r\nContent-Length: 2\r\n\r\n{}${SECOND}`),
  `GET /health HTTP/2.0\r\n${HOST}\r\n${SECOND}`,
  `GET /health HTTP/1.1 extra\r\n${HOST}\r\n${SECOND}`,
  `\x00GET /health HTTP/1.1\r\n${HOST}\r\n${SECOND}`,
];

test("what two servers could read differently gets one refusal, and the connection ends", async () => {
  const wrong = await overAll(SMUGGLING, 4, async (bytes) => {
    const { answers, status, closed } = await tell(target.url, Buffer.from(bytes, "latin1"));
    const refused = status >= 400 && status < 500;
    return answers === 1 && refused && closed
      ? null
      : `${JSON.stringify(bytes.slice(0, 90))}: ${answers} answers, ${status}, ${closed ? "closed" : "open"}`;
  });
  report({ group: "raw requests on whose end servers disagree", requests: SMUGGLING.length, wrong });
  expect(wrong).toEqual([]);
}, 120_000);

/** Host headers that proxies and servers could read differently. */
const HOSTS: readonly string[] = [
  `${HOST}Host: evil.test\r\n`,
  `Host: evil.test\r\n${HOST}`,
  `${HOST}${HOST}`,
  "Host: a b\r\n",
  "Host: a/b\r\n",
  "Host: a@b\r\n",
  "",
];

test("a host that is malformed, missing or given twice is refused", async () => {
  const wrong = await overAll(HOSTS, 4, async (hosts) => {
    const { status, text } = await tell(target.url, `GET /health HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
    return status === 400 && text.includes('"invalid_request"') ? null : `${JSON.stringify(hosts)}: ${status}`;
  });
  report({ group: "hosts", requests: HOSTS.length, wrong });
  expect(wrong).toEqual([]);
}, 60_000);

/** Other spellings of the gateway's paths: rejected or not found, but never executed. */
const DETOURS: readonly string[] = [
  "/x/../v1/chat/completions",
  "/./v1/chat/completions",
  "/x/%2e%2e/v1/chat/completions",
  "/x/.%2E/v1/chat/completions",
  "/x/..%2fv1/chat/completions",
  "/x%2f..%2fv1/chat/completions",
  "/x\\..\\v1\\chat\\completions",
  "/x/%5c..%5cv1/chat/completions",
  "/v1/../v1/chat/completions",
  "/v1/chat/./completions",
  "/v1/chat/x/../completions",
  "/v1%2fchat%2fcompletions",
  "http://localhost/x/../v1/chat/completions",
  "//v1/chat/completions",
  "/V1/chat/completions",
];

test("a detour to the gateway's addresses is refused before its body is read", async () => {
  const bytes = (path: string) =>
    `POST ${path} HTTP/1.1\r\n${HOST}Authorization: Bearer ${target.gateway.key}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${CHAT.length}\r\nConnection: close\r\n\r\n${CHAT}`;
  const wrong = await overAll(DETOURS, 4, async (path) => {
    const { status } = await tell(target.url, bytes(path));
    return status === 400 || status === 404 ? null : `${path}: ${status}`;
  });
  report({ group: "detours to the gateway's addresses", requests: DETOURS.length, wrong });
  expect(wrong).toEqual([]);
}, 60_000);

test("a malformed Origin gets the portal's envelope and headers, and no trace in the log", async () => {
  const origins = [
    "http://",
    "https://a:b:c",
    "://",
    "http://[::1",
    "\\\\evil",
    "http://a b",
    "null,null",
    "http://%zz",
  ];
  const paths = ["/auth/login", "/dashboard/settings", "/invite/nothing", "/dashboard/keys/new"];
  const tries = paths.flatMap((path) => origins.map((origin) => ({ path, origin })));
  const wrong = await overAll(tries, 4, async ({ path, origin }) => {
    const { status, text } = await tell(
      target.url,
      `POST ${path} HTTP/1.1\r\n${HOST}Origin: ${origin}\r\nAccept: application/json\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    const whole = /x-content-type-options: nosniff/i.test(text) && /"csrf_rejected"/.test(text);
    return status === 403 && whole ? null : `${path} ${origin}: ${status}`;
  });
  report({ group: "malformed origins", requests: tries.length, wrong });
  expect(wrong).toEqual([]);
  expect(target.gateway.output()).not.toMatch(/"level":"error"|\bat \w+ \(/);
}, 60_000);
