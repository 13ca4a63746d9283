import { readFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Gateway, startGateway } from "../support/gateway";
import { latenessDuring, startIdler } from "../support/lateness";

let gateway: Gateway;
let idler: Awaited<ReturnType<typeof startIdler>>;
beforeAll(async () => {
  gateway = await startGateway();
  idler = await startIdler();
  // What is loaded on first use is loaded before anything is measured.
  for (const [path, body] of WARM) await send(gateway.url + path, Buffer.from(JSON.stringify(body)));
});
afterAll(async () => {
  idler?.close();
  await gateway?.close();
});

const AT_ONCE = 20;
const MOST_LATE_MS = 100;
/** … or so many times as late as a server on this machine that only takes the same bodies. */
const TIMES_IDLE = 3;
const MOST_GROWTH_BYTES = 800 * 1024 * 1024;

const WARM: readonly [string, object][] = [
  ["/v1/chat/completions", { model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }] }],
  ["/v1/embeddings", { model: "sandbox-embed", input: ["x".repeat(3_000)] }],
];

let seed = 1;
const noise = (length: number) =>
  Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCharCode(97 + (seed % 26));
  }).join("");

const chat = (more: object) => ({ model: "sandbox-chat", max_tokens: 5, ...more });
const nested = (depth: number): object =>
  depth === 0
    ? { type: "string", description: "The last one." }
    : { type: "object", properties: { inner: nested(depth - 1) }, required: ["inner"] };

/** Bodies at a limit, each of a kind of its own, and the answers that are right for it. */
const KINDS: readonly { what: string; path: string; statuses: readonly number[]; body: () => string }[] = [
  {
    what: "8 MB of opening brackets",
    path: "/v1/chat/completions",
    statuses: [400],
    body: () => "[".repeat(8_000_000),
  },
  {
    what: "500,000 members",
    path: "/v1/chat/completions",
    statuses: [413],
    body: () => `{${Array.from({ length: 500_000 }, (_, index) => `"k${index}":1`).join(",")}}`,
  },
  {
    what: "objects of 100,000 shapes",
    path: "/v1/messages",
    statuses: [413],
    body: () => {
      const one = (index: number) => `{"a${index}":1,"b${index}":2,"c${index}":3,"d${index}":4}`;
      return `{"model":"sandbox-messages","messages":[${Array.from({ length: 100_000 }, (_, index) => one(index)).join(",")}]}`;
    },
  },
  {
    what: "one text of 9.5 MB",
    path: "/v1/chat/completions",
    statuses: [200],
    body: () => JSON.stringify(chat({ messages: [{ role: "user", content: "all of it ".repeat(950_000) }] })),
  },
  {
    what: "a text of escapes",
    path: "/v1/chat/completions",
    statuses: [200],
    body: () => JSON.stringify(chat({ messages: [{ role: "user", content: '"'.repeat(4_700_000) }] })),
  },
  {
    what: "10,000 messages",
    path: "/v1/chat/completions",
    statuses: [200],
    body: () =>
      JSON.stringify(
        chat({
          messages: Array.from({ length: 10_000 }, (_, index) => ({
            role: index % 2 === 0 ? "user" : "assistant",
            content: [{ type: "text", text: `${index} ${"some words ".repeat(70)}` }],
          })),
        }),
      ),
  },
  {
    what: "2,048 tools with deep schemas",
    path: "/v1/chat/completions",
    statuses: [200],
    body: () =>
      JSON.stringify(
        chat({
          messages: [{ role: "user", content: "Hello" }],
          tools: Array.from({ length: 2_048 }, (_, index) => ({
            type: "function",
            function: { name: `tool_${index}`, description: "It helps. ".repeat(200), parameters: nested(20) },
          })),
        }),
      ),
  },
  {
    what: "2,048 texts of random letters",
    path: "/v1/embeddings",
    statuses: [200],
    body: () => JSON.stringify({ model: "sandbox-embed", input: Array.from({ length: 2_048 }, () => noise(3_300)) }),
  },
  {
    what: "1.6 million tokens",
    path: "/v1/embeddings",
    statuses: [200],
    body: () =>
      JSON.stringify({ model: "sandbox-embed", input: Array.from({ length: 800 }, () => Array(2_000).fill(12_345)) }),
  },
  {
    what: "10,000 documents",
    path: "/v1/rerank",
    statuses: [200],
    body: () =>
      JSON.stringify({
        model: "sandbox-rerank",
        query: noise(2_000).replaceAll("e", " "),
        documents: Array.from({ length: 10_000 }, (_, index) => ({ text: `${index} ${"some words ".repeat(80)}` })),
      }),
  },
];

describe.each(KINDS)("twenty requests at once with $what", ({ path, statuses, body }) => {
  test("are answered, and nobody else waits for them", async () => {
    const bytes = Buffer.from(body());
    const before = residentBytes();
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, residentBytes())), 100);
    let answers: Answer[] = [];
    const idle = await latenessDuring(`${idler.url}/health`, () =>
      Promise.all(Array.from({ length: AT_ONCE }, () => send(idler.url, bytes))),
    );
    const late = await latenessDuring(`${gateway.url}/health`, async () => {
      answers = await Promise.all(Array.from({ length: AT_ONCE }, () => send(gateway.url + path, bytes)));
    });
    clearInterval(watch);
    for (const { status } of answers) expect(statuses).toContain(status);
    for (const { status, code } of answers) if (status !== 200) expect(code).toMatch(/^[a-z_]+$/);
    const allowedMs = Math.max(MOST_LATE_MS, TIMES_IDLE * idle.worst);
    expect(late.p99).toBeLessThanOrEqual(allowedMs);
    expect(late.worst).toBeLessThanOrEqual(3 * allowedMs);
    expect(most - before).toBeLessThan(MOST_GROWTH_BYTES);
  }, 180_000);
});

type Answer = { status: number; code: string | null };

const agent = new Agent({ keepAlive: false });

function send(url: string, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" };
    const request = httpRequest(
      url,
      { method: "POST", agent, headers: { ...headers, "content-length": body.length } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const status = response.statusCode ?? 0;
          const { error } = status === 200 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as Refused);
          resolve({ status, code: error?.code ?? null });
        });
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

type Refused = { error?: { code: string } };

/** What the server occupies; nothing where the system does not tell. */
function residentBytes(): number {
  try {
    const told = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${gateway.process.pid}/status`, "utf8"));
    return Number(told?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
