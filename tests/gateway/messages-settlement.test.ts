import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Booked, eventually, expectCleanBooks, usageRows } from "../support/chat-gateway";
import { type Gateway, startGateway } from "../support/gateway";
import { type StandIn, startStandIn } from "../support/stand-in-supplier";
import { chatViolations, messagesViolations } from "../support/stream-grammar";

let standIn: StandIn;
let gateway: Gateway;
let key: string;
beforeAll(async () => {
  standIn = await startStandIn();
  gateway = await startGateway({ config: catalogue(standIn.url) });
  key = (await gateway.createKey({ budget_limit: 1_000, budget_period: "monthly" })).key;
});
afterAll(async () => {
  await gateway?.close();
  await standIn?.close();
});

/** nano-USD per token. */
const PRICE = { input: 500n, output: 1_500n };

function catalogue(base_url: string): object {
  const supplier = (name: string, kind: string, ms: number) => ({
    ...{ name, kind, base_url, region: "eu", cooldown: false, timeout_ms: ms, idle_timeout_ms: ms },
    credentials: [{ name: "main", api_key: "sk-supplier" }],
  });
  const model = (id: string, name: string) => ({
    ...{ id, owned_by: "test", capability: "chat", context_tokens: 128_000, max_output_tokens: 4_000 },
    routes: [
      {
        supplier: name,
        upstream_model: "upstream",
        priority: 1,
        weight: 1,
        price: { input_per_mtok: 0.5, output_per_mtok: 1.5, cached_input_per_mtok: 0.5, cache_write_per_mtok: 0.5 },
      },
    ],
  });
  return {
    suppliers: ["chat", "messages"].flatMap((kind) => [
      supplier(kind, kind, 10_000),
      supplier(`hasty-${kind}`, kind, 700),
    ]),
    models: ["chat", "messages", "hasty-chat", "hasty-messages"].map((name) => model(`${name}-model`, name)),
  };
}

/** A client's dialect and the kind of supplier behind it. */
const PATHS = [
  ["messages", "messages"],
  ["messages", "chat"],
  ["chat", "messages"],
] as const;

type Told = { status: number; callId: string; headers: Headers; body: string };

function pathOf(client: "chat" | "messages", supplier: "chat" | "messages") {
  const ask = async (fault: string, stream: boolean, hasty = false): Promise<Told> => {
    const body = {
      model: `${hasty ? "hasty-" : ""}${supplier}-model`,
      max_tokens: 50,
      stream,
      messages: [{ role: "user", content: "Hello" }],
      ...(client === "chat"
        ? { user: `fault=${fault};tokens=8` }
        : { metadata: { user_id: `fault=${fault};tokens=8` } }),
    };
    const response = await fetch(`${gateway.url}/v1/${client === "chat" ? "chat/completions" : "messages"}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const told = {
      status: response.status,
      callId: response.headers.get("x-request-id")!,
      headers: response.headers,
      body: await response.text(),
    };
    if (told.status !== 200) expect(JSON.parse(told.body).error.code).toMatch(/^[a-z_]+$/);
    return told;
  };
  const violations = ({ body }: Told) => (client === "chat" ? chatViolations(body) : messagesViolations(body));
  return { ask, violations };
}

/** The text that a stream of either dialect carries. */
function textOf({ body }: Told): string {
  const lines = body.split("\n").filter((line) => line.startsWith("data: {"));
  return lines
    .map((line) => JSON.parse(line.slice(6)))
    .map(({ delta, choices }) => delta?.text ?? choices?.[0]?.delta?.content ?? "")
    .join("");
}

const isWhole = ({ body }: Told) => /message_stop|\[DONE\]/.test(body);
const errorCode = ({ body }: Told) => /"code":"(stream_[a-z]+)"/.exec(body)?.[1];
const billOf = async (callId: string) => (await standIn.bill()).filter(({ id }) => id === callId);

async function booked(callId: string): Promise<Booked> {
  const read = () => gateway.sql("SELECT state, amount, captured, absorbed FROM hold WHERE id = $1", [callId]);
  const [hold] = await eventually(read, (rows) => rows.length > 0 && !/reserved|dispatched/.test(rows[0].state));
  const { state, amount, captured, absorbed } = hold;
  return {
    hold: { state, amount: BigInt(amount), captured: BigInt(captured), absorbed: BigInt(absorbed) },
    usage: await usageRows(gateway, callId),
  };
}

async function expectExact({ callId }: Told): Promise<void> {
  const { hold, usage } = await booked(callId);
  const [billed] = await billOf(callId);
  const cost = BigInt(billed!.promptTokens) * PRICE.input + BigInt(billed!.completionTokens) * PRICE.output;
  expect(usage).toMatchObject([{ outcome: "complete", tokenSource: "supplier", charged: cost, status: 200 }]);
  expect(hold).toMatchObject({ state: "settled", captured: cost, absorbed: 0n });
}

async function expectFree({ callId }: Told, ...states: string[]): Promise<void> {
  const { hold, usage } = await booked(callId);
  expect(states).toContain(hold!.state);
  expect(usage).toHaveLength(hold!.state === "review" ? 0 : 1);
  for (const { charged } of usage) expect(charged).toBe(0n);
}

async function expectEstimated({ callId }: Told, outcome: string): Promise<void> {
  const { hold, usage } = await booked(callId);
  expect(usage).toMatchObject([{ outcome, tokenSource: "estimated" }]);
  expect(usage[0]!.outputTokens).toBeLessThan(100);
  expect(usage[0]!.charged).toBeGreaterThan(0n);
  expect(hold).toMatchObject({ state: "settled", captured: usage[0]!.charged });
}

describe.each(PATHS)("a %s client and a %s-style supplier", (client, supplier) => {
  const { ask, violations } = pathOf(client, supplier);

  test.each(["400", "401", "404", "422", "429:seconds", "500", "503", "529"])("%s costs nothing", async (fault) => {
    for (const stream of [false, true]) {
      const told = await ask(fault, stream);
      expect(told.status).toBeGreaterThanOrEqual(400);
      if (told.status === 429 || told.status === 503) expect(told.headers.get("retry-after")).toMatch(/^\d+$/);
      await expectFree(told, "released");
    }
  });

  test.each(["html", "empty", "redirect", "error-in-200", "malformed"])("%s as a whole is no answer", async (fault) => {
    const told = await ask(fault, false);
    expect(told.status).toBeGreaterThanOrEqual(400);
    expect(told.body).not.toContain("<");
    await expectFree(told, "released", "settled", "review");
  });

  test.each(["html", "empty", "error-first", "no-content", "long-line"])(
    "%s as a stream is no answer",
    async (fault) => {
      const told = await ask(fault, true);
      expect(told.status).toBeGreaterThanOrEqual(500);
      await expectFree(told, "released", "settled", "review");
    },
  );

  test.each([
    ["no-answer", true],
    ["reset-before", false],
  ] as const)("%s keeps its hold in review", async (fault, hasty) => {
    for (const stream of [false, true]) await expectFree(await ask(fault, stream, hasty), "review");
  });

  test.each(["ok", "drip:1", "slices"])("%s as a whole is charged to the token", async (fault) => {
    const told = await ask(fault, false);
    expect(told.body).toContain("w0 w1 w2 w3 w4 w5 w6 w7");
    await expectExact(told);
  });

  test.each([
    ...["ok", "usage-twice", "done-twice", "data-after-done", "finish-without-done"],
    ...["newlines:crlf", "newlines:cr", "newlines:mixed", "slices", "comments", "drip:2"],
  ])("%s as a stream is charged to the token", async (fault) => {
    const told = await ask(fault, true);
    expect(violations(told)).toEqual([]);
    if (!fault.startsWith("newlines")) expect(textOf(told)).toBe("w0 w1 w2 w3 w4 w5 w6 w7");
    expect(isWhole(told)).toBe(true);
    await expectExact(told);
  });

  test("a character that is cut between two packets arrives whole", async () => {
    const told = await ask("split-utf8", true);
    expect(violations(told)).toEqual([]);
    expect(textOf(told)).toContain("☃🌨é");
  });

  test("twenty thousand tiny events", async () => {
    const told = await ask("many:20000", true);
    expect(violations(told)).toEqual([]);
    expect(textOf(told)).toHaveLength(20_000);
  });

  test("without usage, or with impossible usage, gw's own count is charged", async () => {
    for (const fault of ["no-usage", "insane-negative", "insane-large"])
      for (const stream of [false, true]) await expectEstimated(await ask(fault, stream), "complete");
  });

  test.each([
    ["fin", "stream_interrupted", false],
    ["cut", "stream_interrupted", false],
    ["reset", "stream_interrupted", false],
    ["silence-mid", "stream_interrupted", true],
    ["error-mid", "stream_error", false],
    ["malformed", "stream_error", false],
  ] as const)("%s: what came is delivered and charged, and the end is an error event", async (fault, code, hasty) => {
    const told = await ask(fault, true, hasty);
    expect(told.status).toBe(200);
    expect(violations(told)).toEqual([]);
    expect(textOf(told)).toBe("w0 w1 w2 w3");
    expect(errorCode(told)).toBe(code);
    expect(isWhole(told)).toBe(false);
    await expectEstimated(told, "upstream_abort");
    expect((await standIn.seen(told.callId)).requests).toHaveLength(1);
  });

  test("a stream that is reset at any byte: one dispatch, one usage row, valid as far as it came", async () => {
    const offsets = Array.from({ length: 24 }, (_, step) => 150 + step * 67);
    for (const told of await Promise.all(offsets.map((offset) => ask(`reset:${offset}`, true)))) {
      const { hold, usage } = await booked(told.callId);
      expect(usage).toHaveLength(hold!.state === "review" ? 0 : 1);
      expect((await standIn.seen(told.callId)).requests).toHaveLength(1);
      if (told.status !== 200) continue;
      expect(violations(told)).toEqual([]);
      expect("w0 w1 w2 w3 w4 w5 w6 w7".startsWith(textOf(told))).toBe(true);
    }
  });
});

describe("afterwards", () => {
  test("the books are in order", () => expectCleanBooks(gateway));

  test("no connection to the supplier is left at work", async () => {
    const { underWay } = await eventually(
      () => standIn.seen("none"),
      (seen) => seen.underWay === 0,
    );
    expect(underWay).toBe(0);
  });

  test("the gateway has thrown nothing that it did not expect", () => {
    expect(gateway.output()).not.toMatch(/unexpected problem|uncaught|unhandled/i);
  });
});
