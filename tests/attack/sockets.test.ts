import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Portal, startPortal } from "../support/portal";
import { dripping } from "./raw-socket";
import { FULL, report } from "./target";

const OF_EACH = FULL ? 150 : 25;
const HEADERS_MS = 2_000;
const BODY_MS = 3_000;
/** Time limit of uploads in milliseconds. It is longer than all others, and applies only to uploads. */
const UPLOAD_MS = 60_000;
/** Tolerance in milliseconds; the server checks its connections every two seconds. */
const SLACK_MS = 7_000;

let target: Portal;
beforeAll(async () => {
  const limits = { GW_HEADERS_TIMEOUT_MS: String(HEADERS_MS), GW_REQUEST_TIMEOUT_MS: String(BODY_MS) };
  target = await startPortal({ env: { ...limits, GW_UPLOAD_TIMEOUT_MS: String(UPLOAD_MS) } });
}, 120_000);
afterAll(() => target?.close());

const HOST = "Host: localhost\r\n";
const drip = (first: string, next: string) => ({ first, next, everyMs: 400 });
const body = (start: string, more = "") => drip(`${start} HTTP/1.1\r\n${HOST}${more}Content-Length: 9000\r\n\r\n`, "x");

const kindsOf = (key: string) => ({
  "headers that drip": drip(`GET / HTTP/1.1\r\n${HOST}X-Slow: `, "x"),
  "headers that stop": drip(`GET / HTTP/1.1\r\n${HOST}`, ""),
  "form bodies that drip": body("POST /auth/login", "Sec-Fetch-Site: same-origin\r\n"),
  "page bodies that drip": body("POST /login", "Sec-Fetch-Site: same-origin\r\n"),
  "chat bodies that drip": body("POST /v1/chat/completions", `Authorization: Bearer ${key}\r\n`),
  "chunks that drip": drip(
    `POST /auth/register HTTP/1.1\r\n${HOST}Sec-Fetch-Site: same-origin\r\nTransfer-Encoding: chunked\r\n\r\n`,
    "1\r\nx\r\n",
  ),
  "bodies of another site that drip": body("POST /auth/login", "Sec-Fetch-Site: cross-site\r\n"),
  "bodies of a page's GET that drip": body("GET /login"),
  "bodies of a file's GET that drip": body("GET /favicon.svg"),
  "bodies of the gateway's GET that drip": body("GET /v1/models"),
  "bodies for nothing that drip": body("POST /nothing/here", "Sec-Fetch-Site: same-origin\r\n"),
});

test("slow and silent connections are ended in time, and others are answered meanwhile", async () => {
  const { key } = target.gateway;
  const attacks = Object.entries(kindsOf(key)).flatMap(([kind, sent]) =>
    Array.from({ length: OF_EACH }, () => ({ kind, ...dripping(target.url, sent) })),
  );
  let answered = 0;
  let slowestMs = 0;
  let running = true;
  const over = Promise.race([
    Promise.all(attacks.map(({ ended }) => ended)),
    pause(Math.max(HEADERS_MS, BODY_MS) + SLACK_MS),
  ]).then(() => (running = false));
  while (running) {
    const askedMs = performance.now();
    const response = await fetch(`${target.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    slowestMs = Math.max(slowestMs, performance.now() - askedMs);
    answered += 1;
    await pause(20);
  }
  await over;
  const open = attacks.filter(({ socket }) => !socket.destroyed);
  for (const { socket } of attacks) socket.destroy();
  const wrong = [...new Set(open.map(({ kind }) => kind))].map(
    (kind) => `${kind}: ${open.filter((each) => each.kind === kind).length} of ${OF_EACH} still open`,
  );
  report({ group: "slow and silent connections", requests: attacks.length + answered, wrong, slowestMs });
  expect(wrong).toEqual([]);
}, 60_000);
