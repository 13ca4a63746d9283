import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isErrorCode } from "~/errors/catalogue";
import { type ChatGateway, expectCleanBooks, startChatGateway } from "../../support/chat-gateway";

const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const BODIES = Number(process.env.FUZZ_BODIES ?? 3_000);
const AT_ONCE = 24;

let gateway: ChatGateway;
beforeAll(async () => {
  gateway = await startChatGateway();
});
afterAll(() => gateway?.close());

const NASTY = [
  "",
  "\u0000",
  "' OR 1=1 --",
  '{"$gt":""}',
  "__proto__",
  "\ud800",
  "../../etc/passwd",
  "\r\nx: y",
  "NULL",
  "💥".repeat(50),
];
const text = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: "binary", maxLength: 40 }));
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  text,
  fc.constantFrom(-1, 0, 1e308, 2 ** 53, -0.5, null, true, [], {}),
);

const plausible = fc.record(
  {
    model: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("fast-chat", "us-chat") },
      { weight: 1, arbitrary: anything },
    ),
    messages: fc.oneof(
      {
        weight: 3,
        arbitrary: fc.array(
          fc.record({ role: fc.constantFrom("user", "system", "assistant", "tool"), content: anything }),
        ),
      },
      { weight: 1, arbitrary: anything },
    ),
    stream: fc.oneof(fc.boolean(), anything),
    stream_options: anything,
    max_tokens: fc.oneof(fc.integer({ min: -5, max: 200 }), anything),
    max_completion_tokens: anything,
    n: fc.oneof(fc.integer({ min: -1, max: 4 }), anything),
    temperature: anything,
    top_p: anything,
    metadata: anything,
    region: anything,
    tools: anything,
    service_tier: anything,
    store: anything,
  },
  { requiredKeys: [] },
);
/** Valid requests with one arbitrary field. */
const nearlyGood = fc
  .tuple(
    fc.constantFrom("x", "stop", "seed", "tools", "stream", "logit_bias", "response_format", "user", "max_tokens"),
    anything,
  )
  .map(([name, value]) => ({
    model: "fast-chat",
    messages: [{ role: "user", content: "Hi" }],
    max_tokens: 5,
    [name]: value,
  }));
const body = fc.oneof(
  { weight: 2, arbitrary: nearlyGood.map((value) => JSON.stringify(value)) },
  { weight: 6, arbitrary: plausible.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.stringify(value)) },
  // Valid JSON, truncated or with one byte changed.
  {
    weight: 2,
    arbitrary: fc
      .tuple(plausible, fc.nat(2_000), text)
      .map(([value, at, junk]) => spliced(JSON.stringify(value), at, junk)),
  },
  { weight: 1, arbitrary: text },
  { weight: 1, arbitrary: fc.nat(30_000).map((depth) => "[".repeat(depth)) },
);
const path = fc.oneof(
  { weight: 8, arbitrary: fc.constant("/v1/chat/completions") },
  { weight: 2, arbitrary: fc.constant("/v1/manage/keys") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("/v1/models", "/v1/nothing", "/v1/manage/keys/key_x", "/v1/manage/audit-logs?limit=x"),
  },
);
const method = fc.oneof(
  { weight: 8, arbitrary: fc.constant("POST") },
  { weight: 1, arbitrary: fc.constantFrom("PATCH", "PUT", "DELETE") },
);
const type = fc.constantFrom(
  "application/json",
  "text/plain",
  "application/xml",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-16",
);

function spliced(whole: string, at: number, junk: string): string {
  const cut = at % (whole.length + 1);
  return at % 2 === 0 ? whole.slice(0, cut) : whole.slice(0, cut) + junk + whole.slice(cut + 1);
}

test(`${BODIES} bodies of every kind get an answer or an envelope with a code of the catalogue (SEED=${SEED})`, async () => {
  const requests = fc.sample(fc.record({ path, method, body, type, admin: fc.boolean() }), {
    seed: SEED,
    numRuns: BODIES,
  });
  const counted = new Map<number, number>();
  let next = 0;
  const worker = async () => {
    while (next < requests.length) {
      const request = requests[next]!;
      next += 1;
      const status = await send(request);
      counted.set(status, (counted.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  process.stdout.write(`fuzz: ${[...counted].map(([status, count]) => `${status}: ${count}`).join(", ")}\n`);
  expect(gateway.process.exitCode).toBeNull();
  expect(gateway.output()).not.toMatch(/unexpected problem|uncaught|unhandled/i);
  await expectCleanBooks(gateway);
}, 120_000);

type Fuzzed = { path: string; method: string; body: string; type: string; admin: boolean };

async function send({ path, method, body, type, admin }: Fuzzed): Promise<number> {
  const shown = JSON.stringify({ path, method, type, body: body.slice(0, 500) });
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${admin ? gateway.adminKey : gateway.budgetKey}`, "content-type": type },
    body: Buffer.from(body),
  });
  const answer = await response.text();
  expect(response.headers.get("x-request-id"), shown).toMatch(/^[0-9a-f-]{36}$/);
  if (response.status < 300) return response.status;
  const { error } = JSON.parse(answer) as {
    error: { code: string; type: string; message: string; human_message: string };
  };
  expect(isErrorCode(error.code), shown).toBe(true);
  expect(error.message, shown).toBe(`${error.code} - ${error.human_message}`);
  expect(answer, shown).not.toMatch(/node_modules|at \w+ \(|SELECT |prisma/i);
  // The stand-in never fails here, so that only an invalid request can be the reason for an error.
  expect(response.status, `${shown} ${answer}`).toBeLessThan(500);
  return response.status;
}
