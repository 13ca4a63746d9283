import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { askWebhook } from "./ask-webhook";
import type { GuardrailWebhookChange } from "./shared";
import { changedWebhook, describeWebhook, readWebhook, viewOfWebhook } from "./webhook";

const SETTINGS = { GW_SECRET: "a secret for tests that is long enough", GW_ALLOW_PRIVATE_WEBHOOKS: "true" };
const KEY = { kind: "key", id: 7 } as const;
const SEALED = { ...KEY, isSealing: true };
type Received = { headers: Record<string, string>; body: string };
let receiver: Server;
let url: string;
let received: Received[] = [];
let answer: (response: ServerResponse, request: IncomingMessage) => void;

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(pieces).toString("utf8") });
    answer(response, request);
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
beforeEach(() => setConfig(readConfig(SETTINGS)));
afterEach(() => {
  received = [];
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

type Save = Extract<GuardrailWebhookChange, { kind: "save" }>;
const saved = (change: Partial<Save> = {}) =>
  changedWebhook(null, { kind: "save", url, timeoutMs: 10_000, onFailure: "refuse", ...change }, SEALED);
const hook = (change: Partial<Save> = {}) => readWebhook(saved(change).stored, KEY)!;
const question = {
  ...{
    id: "req_1",
    isTest: false,
    endpoint: "chat/completions",
    model: "m",
    stream: false,
    key: "k",
    organisationId: 3,
  },
  texts: ["What a day", "Ünïcode"],
};
const says = (body: unknown) => (response: ServerResponse) => response.end(JSON.stringify(body));

test("it is told what is about to be sent, signed so that the library of Standard Webhooks accepts it", async () => {
  answer = says({ action: "flag", reason: " two\nlines\u200b " });
  const { stored, secret } = saved();
  expect(await askWebhook(readWebhook(stored, KEY)!, question)).toMatchObject({
    ...{ action: "flag", reason: "two lines", problem: null },
  });
  const [{ headers, body }] = received as [Received];
  const told = new Webhook(secret as string).verify(body, headers) as { data: object; type: string };
  expect(told.type).toBe("guardrail.request");
  expect(told.data).toEqual({
    ...{ request_id: "req_1", test: false, set_by: "key", organisation_id: 3, key: "k", stream: false },
    ...{ endpoint: "chat/completions", model: "m", texts: question.texts, truncated: false },
  });
  expect(JSON.stringify(stored)).not.toContain(secret);
});

test("after a rotation both secrets sign, and the one before no longer once its day is over", async () => {
  answer = says({ action: "allow" });
  const first = saved();
  const second = changedWebhook(first.stored, { kind: "rotate" }, SEALED);
  await askWebhook(readWebhook(second.stored, KEY)!, question);
  const [both] = received as [Received];
  for (const { secret } of [first, second])
    expect(() => new Webhook(secret as string).verify(both.body, both.headers)).not.toThrow();
  const over = { ...second.stored!, previous: [{ ...second.stored!.previous[0]!, until: "2020-01-01T00:00:00.000Z" }] };
  await askWebhook(readWebhook(over, KEY)!, question);
  const last = received[1]!;
  expect(() => new Webhook(second.secret as string).verify(last.body, last.headers)).not.toThrow();
  expect(() => new Webhook(first.secret as string).verify(last.body, last.headers)).toThrow();
});

test("of long texts the beginning is sent, and that it is not all", async () => {
  answer = says({ action: "allow", reason: null });
  await askWebhook(hook(), { ...question, texts: ["a".repeat(200_000), "b".repeat(200_000), "c"] });
  const { texts, truncated } = JSON.parse(received[0]!.body).data as { texts: string[]; truncated: boolean };
  expect(texts.map(({ length }) => length)).toEqual([200_000, 62_144]);
  expect(truncated).toBe(true);
});

type Failure = [what: string, how: typeof answer, problem: RegExp];
const failures: Failure[] = [
  ["an error", (response) => response.writeHead(500).end(JSON.stringify({ action: "allow" })), /answered 500/],
  ...[201, 202, 203, 204, 206].map(
    (status): Failure => [
      `a status of ${status}`,
      (response) => response.writeHead(status).end(status === 204 ? undefined : JSON.stringify({ action: "allow" })),
      new RegExp(`answered ${status}`),
    ],
  ),
  ["a redirect", (response) => response.writeHead(302, { location: "/elsewhere" }).end(), /answered 302/],
  ["garbage", (response) => response.end("<html>allow</html>"), /not what it should be/],
  ["another word", says({ action: "permit" }), /not what it should be/],
  ["nothing", (response) => response.end(), /not what it should be/],
  ["a list", says([{ action: "allow" }]), /not what it should be/],
  ["too much", says({ action: "allow", reason: "x".repeat(100_000) }), /too long/],
  [
    "half an answer",
    (response) =>
      void response.writeHead(200, { "content-length": 50 }).write('{"action":', () => void response.socket?.destroy()),
    /cut off/,
  ],
  ["a hang-up", (_, request) => request.socket.destroy(), /could not be reached \(ECONNRESET\)/],
];

test.each(failures)(
  "%s is no answer: it refuses or allows as its holder chose, and no redirect is followed",
  async (_, how, problem) => {
    answer = how;
    for (const [onFailure, action] of [
      ["refuse", "refuse"],
      ["allow", "allow"],
    ] as const) {
      const verdict = await askWebhook(hook({ onFailure }), question);
      expect(verdict).toMatchObject({ action, reason: null, problem: expect.stringMatching(problem) });
    }
    expect(received).toHaveLength(2);
  },
);

test("an address in capitals is stored in small letters, and asked also where it was stored as it was typed", async () => {
  answer = says({ action: "flag" });
  const typed = url.replace("http", "HTTP");
  expect(hook({ url: typed }).url).toBe(url);
  expect(await askWebhook({ ...hook(), url: typed }, question)).toMatchObject({ action: "flag", problem: null });
});

test("an address with HTTPS in capitals is spoken to in TLS", async () => {
  let first = -1;
  const plain = createTcpServer((socket) =>
    socket.once("data", (bytes) => {
      first = bytes[0]!;
      socket.destroy();
    }),
  );
  await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
  const port = (plain.address() as AddressInfo).port;
  await askWebhook({ ...hook(), url: `HTTPS://127.0.0.1:${port}/` }, question);
  plain.close();
  // The first byte of a TLS handshake record.
  expect(first).toBe(22);
});

test("silence ends with the time limit, and an answer that never ends does, too", async () => {
  answer = () => undefined;
  const late = { action: "refuse", problem: "the webhook did not answer in time" };
  expect(await askWebhook(hook({ timeoutMs: 100 }), question)).toMatchObject(late);
  answer = (response) => void response.write("{");
  expect(await askWebhook(hook({ timeoutMs: 100 }), question)).toMatchObject(late);
});

test("a client that leaves ends the question", async () => {
  const left = new AbortController();
  answer = () => left.abort();
  expect(await askWebhook(hook(), question, left.signal)).toMatchObject({ action: "refuse" });
});

test("private addresses are refused unless the operator allows them, also ones that were saved before", async () => {
  const { stored } = saved();
  setConfig(readConfig({ ...SETTINGS, GW_ALLOW_PRIVATE_WEBHOOKS: "false" }));
  for (const unfit of [url, "https://127.0.0.1/hook", "https://me:pw@example.com/", "ftp://example.com/", "x"])
    expect(() => saved({ url: unfit })).toThrow(expect.objectContaining({ code: "invalid_request" }));
  expect(await askWebhook(readWebhook(stored, KEY)!, question)).toMatchObject({
    ...{ action: "refuse", problem: "the address is not a public one" },
  });
  expect(await askWebhook({ ...readWebhook(stored, KEY)!, url: "https://localhost/hook" }, question)).toMatchObject({
    ...{ action: "refuse", problem: "the address is not a public one" },
  });
  expect(received).toEqual([]);
});

test("one that cannot be read refuses, and can be saved anew or removed", async () => {
  const broken = { url, secret: 5 };
  expect(await askWebhook(readWebhook(broken, KEY)!, question)).toMatchObject({ action: "refuse" });
  expect(changedWebhook(broken, { kind: "remove" }, SEALED).stored).toBeNull();
  const { stored } = changedWebhook(broken, { kind: "save", url, timeoutMs: 500, onFailure: "allow" }, SEALED);
  answer = says({ action: "allow" });
  expect(await askWebhook(readWebhook(stored, KEY)!, question)).toMatchObject({ action: "allow", problem: null });
});

test("the audit log and who may not change it read the host only", () => {
  const { stored } = saved({ url: "https://hooks.example.com/secret-path?token=t" });
  const webhook = readWebhook(stored, KEY);
  expect(JSON.stringify([describeWebhook(stored, KEY), viewOfWebhook(webhook, false)])).not.toMatch(
    /secret-path|token|gw1/,
  );
  expect(viewOfWebhook(webhook, false)).toMatchObject({ host: "hooks.example.com", url: null });
  expect(viewOfWebhook(webhook, true)).toMatchObject({ url: "https://hooks.example.com/secret-path?token=t" });
});
