import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Booked,
  type ChatGateway,
  eventsOf,
  eventually,
  expectCleanBooks,
  priceOf,
  startChatGateway,
  textOf,
} from "../../support/chat-gateway";

let gateway: ChatGateway;
beforeAll(async () => {
  gateway = await startChatGateway();
});
afterAll(() => gateway?.close());

type Told = { status: number; callId: string; headers: Headers; events: unknown[]; body: string };

async function ask(fault: string, stream: boolean, model = "fast-chat"): Promise<Told> {
  const response = await gateway.chat({ model, stream, user: `fault=${fault};tokens=8` });
  const callId = response.headers.get("x-request-id")!;
  expect(callId).toMatch(/^[0-9a-f-]{36}$/);
  const { status, headers } = response;
  if (status === 200 && stream) return { status, callId, headers, events: await eventsOf(response), body: "" };
  return { status, callId, headers, events: [], body: await response.text() };
}

const codeOf = ({ body }: Told) => (JSON.parse(body) as { error: { code: string; human_message: string } }).error.code;
const lastCode = ({ events }: Told) => (events.at(-1) as { error?: { code: string } }).error?.code;
const billOf = async (callId: string) => (await gateway.standIn.bill()).filter(({ id }) => id === callId);

/** Asserts that the customer pays the supplier's billed amount, once. */
async function expectExact(callId: string): Promise<Booked> {
  const booked = await gateway.booked(callId);
  const [billed] = await billOf(callId);
  const cost = priceOf(billed!.promptTokens, billed!.completionTokens);
  expect(booked.usage).toHaveLength(1);
  expect(booked.usage[0]).toMatchObject({ outcome: "complete", tokenSource: "supplier", charged: cost, status: 200 });
  expect(booked.hold).toMatchObject({ state: "settled", captured: cost, absorbed: 0n });
  return booked;
}

/** Asserts that the customer pays nothing. The hold is closed with one usage row, or is in review without one. */
async function expectFree(callId: string, states: readonly string[]): Promise<Booked> {
  const booked = await gateway.booked(callId);
  expect(states).toContain(booked.hold?.state);
  expect(booked.usage).toHaveLength(booked.hold?.state === "review" ? 0 : 1);
  for (const { charged } of booked.usage) expect(charged).toBe(0n);
  return booked;
}

/** Asserts that an answer without reported usage is charged by gw's own count, within the hold, as an estimate. */
async function expectEstimated(callId: string, outcome: string): Promise<Booked> {
  const booked = await gateway.booked(callId);
  expect(booked.usage).toHaveLength(1);
  expect(booked.usage[0]).toMatchObject({ outcome, tokenSource: "estimated" });
  expect(booked.usage[0]!.charged).toBeGreaterThan(0n);
  expect(booked.hold).toMatchObject({ state: "settled", captured: booked.usage[0]!.charged });
  expect(booked.usage[0]!.charged).toBeLessThanOrEqual(booked.hold!.amount);
  return booked;
}

describe("a refusal of the supplier costs nothing and frees the hold", () => {
  test.each([
    ["429:seconds", 429],
    ["500", 500],
    ["503", 503],
    ["529", 529],
    ["404", 404],
    ["422", 422],
  ] as const)("%s", async (fault, status) => {
    for (const stream of [false, true]) {
      const told = await ask(fault, stream);
      expect([status, status === 500 ? 502 : status]).toContain(told.status);
      if (told.status === 429 || told.status === 503) expect(told.headers.get("retry-after")).toMatch(/^\d+$/);
      const { usage } = await expectFree(told.callId, ["released"]);
      expect(usage[0]).toMatchObject({ outcome: "not_executed", status: told.status });
      // These statuses mean that the supplier rejects the request, not that the supplier has failed.
      expect(usage[0]!.attempts[0]!.outcome).toBe(status === 404 || status === 422 ? "rejected" : "not_executed");
    }
  });

  test.each(["401", "403"])("%s of gw's own credential is not the client's affair", async (fault) => {
    const told = await ask(fault, false);
    expect(told.status).toBeGreaterThanOrEqual(500);
    expect(told.body).not.toContain("does not know this key");
    await expectFree(told.callId, ["released"]);
  });

  test("a supplier behind a closed door", async () => {
    for (const stream of [false, true]) {
      const told = await ask("ok", stream, "closed-chat");
      expect(told.status).toBeGreaterThanOrEqual(502);
      await expectFree(told.callId, ["released"]);
    }
  });
});

describe("an answer that is none", () => {
  test.each(["html", "empty", "redirect", "error-in-200", "malformed"])("%s as a whole", async (fault) => {
    const told = await ask(fault, false);
    expect(told.status).toBeGreaterThanOrEqual(500);
    expect(told.body).not.toContain("<");
    expect(codeOf(told)).toMatch(/^[a-z_]+$/);
    await expectFree(told.callId, ["released", "settled", "review"]);
  });

  test.each(["html", "empty", "redirect", "error-first", "no-content"])("%s as a stream", async (fault) => {
    const told = await ask(fault, true);
    expect(told.status).toBeGreaterThanOrEqual(500);
    expect(told.body).not.toContain("<");
    await expectFree(told.callId, ["released", "settled", "review"]);
  });

  test("an error inside a 200 keeps the supplier's own code and words", async () => {
    for (const told of [await ask("error-in-200", false), await ask("error-first", true)]) {
      expect([told.status, codeOf(told)]).toEqual([502, "engine_failed"]);
      expect(told.body).toContain("the engine failed");
    }
  });

  test("headers and then silence: a time-out, and nothing to pay", async () => {
    for (const stream of [false, true]) {
      const told = await ask("silence", stream, "hasty-chat");
      expect(told.status).toBe(504);
      expect(codeOf(told)).toBe("upstream_timeout");
      await expectFree(told.callId, ["released", "settled", "review"]);
    }
  });
});

describe("an attempt of unknown outcome", () => {
  test.each([
    ["no-answer", "hasty-chat"],
    ["reset-before", "fast-chat"],
  ])("%s keeps its hold in review, and no client library repeats it by itself", async (fault, model) => {
    for (const stream of [false, true]) {
      const told = await ask(fault, stream, model);
      expect(told.status).toBeGreaterThanOrEqual(500);
      expect(told.headers.get("x-should-retry")).toBe("false");
      const { usage, hold } = await expectFree(told.callId, ["review"]);
      expect(usage).toEqual([]);
      const [billed] = await billOf(told.callId);
      expect(hold!.amount).toBeGreaterThanOrEqual(priceOf(billed!.promptTokens, billed!.completionTokens));
    }
  });
});

describe("a complete answer is charged to the token", () => {
  test.each(["ok", "drip:1", "slices"])("%s as a whole", async (fault) => {
    const told = await ask(fault, false);
    expect(JSON.parse(told.body)).toMatchObject({ choices: [{ message: { content: "w0 w1 w2 w3 w4 w5 w6 w7" } }] });
    await expectExact(told.callId);
  });

  test.each([
    "ok",
    "usage-twice",
    "done-twice",
    "data-after-done",
    "finish-without-done",
    "newlines:crlf",
    "newlines:cr",
    "newlines:mixed",
    "slices",
    "comments",
    "drip:2",
  ])("%s as a stream", async (fault) => {
    const told = await ask(fault, true);
    expect(textOf(told.events)).toBe("w0 w1 w2 w3 w4 w5 w6 w7");
    expect(told.events.filter((event) => event === "[DONE]")).toHaveLength(1);
    expect(told.events.at(-1)).toBe("[DONE]");
    await expectExact(told.callId);
  });

  test("a character that is cut between two packets arrives whole", async () => {
    const told = await ask("split-utf8", true);
    expect(textOf(told.events)).toContain("☃🌨é");
    await expectExact(told.callId);
  });

  test("twenty thousand tiny events", async () => {
    const told = await ask("many:20000", true);
    expect(textOf(told.events)).toHaveLength(20_000);
    expect(told.events.at(-1)).toBe("[DONE]");
    expect((await gateway.booked(told.callId)).usage).toHaveLength(1);
  });

  test("without usage, or with impossible usage, gw's own count is charged", async () => {
    for (const fault of ["no-usage", "insane-negative", "insane-large"]) {
      for (const stream of [false, true]) {
        const told = await ask(fault, stream);
        expect(told.status).toBe(200);
        const { usage } = await expectEstimated(told.callId, "complete");
        expect(usage[0]!.outputTokens).toBeLessThan(100);
      }
    }
  });
});

describe("a stream that dies after content", () => {
  test.each([
    ["fin", "fast-chat", "stream_interrupted"],
    ["cut", "fast-chat", "stream_interrupted"],
    ["reset", "fast-chat", "stream_interrupted"],
    ["silence-mid", "hasty-chat", "stream_interrupted"],
    ["error-mid", "fast-chat", "stream_error", "engine_failed"],
    ["malformed", "fast-chat", "stream_error"],
  ])(
    "%s: what came is delivered and charged, and the end is an error event",
    async (fault, model, code, theirs = code) => {
      const told = await ask(fault, true, model);
      expect(told.status).toBe(200);
      expect(textOf(told.events)).toBe("w0 w1 w2 w3");
      // The client receives the supplier's error code, if there is one, and gw's own.
      expect(told.events.at(-1)).toMatchObject({
        error: { code: theirs, ...(theirs !== code && { gateway_code: code }) },
      });
      expect(told.events).not.toContain("[DONE]");
      const { usage } = await expectEstimated(told.callId, "upstream_abort");
      expect(usage[0]!.errorCode).toBe(code);
      expect((await gateway.standIn.seen(told.callId)).requests).toHaveLength(1);
    },
  );

  test("pays what was reported, where a report came before the end", async () => {
    const told = await ask("usage-early", true);
    expect(lastCode(told)).toBe("stream_interrupted");
    const { usage } = await gateway.booked(told.callId);
    expect(usage).toMatchObject([{ tokenSource: "supplier", outputTokens: 8, outcome: "upstream_abort" }]);
  });

  test("at any byte: one dispatch, one usage row, no character twice", async () => {
    const offsets = Array.from({ length: 24 }, (_, step) => 150 + step * 67);
    const answers = await Promise.all(offsets.map((offset) => ask(`reset:${offset}`, true)));
    for (const told of answers) {
      const { hold, usage } = await gateway.booked(told.callId);
      expect(["settled", "released", "review"]).toContain(hold!.state);
      expect(usage.length).toBe(hold!.state === "review" ? 0 : 1);
      expect((await gateway.standIn.seen(told.callId)).requests).toHaveLength(1);
      if (told.status !== 200) continue;
      expect("w0 w1 w2 w3 w4 w5 w6 w7".startsWith(textOf(told.events))).toBe(true);
      if (usage[0]!.charged === 0n) expect(textOf(told.events)).toBe("");
    }
  });
});

describe("failover", () => {
  test.each(["limited-chat", "broken-chat", "backed-chat"])("%s is answered by the next supplier", async (model) => {
    for (const stream of [false, true]) {
      const response = await gateway.chat({ model, stream, user: "tokens=3" });
      expect(response.status).toBe(200);
      expect(response.headers.get("x-gw-failover")).toBe("true");
      expect(await response.text()).toContain("w0");
      const callId = response.headers.get("x-request-id")!;
      const { usage, hold } = await gateway.booked(callId);
      expect(hold!.state).toBe("settled");
      expect(usage).toHaveLength(1);
      expect(usage[0]!.attempts.map(({ outcome }) => outcome)).toEqual(["not_executed", "delivered"]);
      const billed = await billOf(callId);
      expect(billed).toHaveLength(1);
      expect(usage[0]!.charged).toBe(priceOf(billed[0]!.promptTokens, billed[0]!.completionTokens));
    }
  });

  test("never leaves the region that the call is locked to", async () => {
    const inside = await gateway.chat({ model: "wide-chat", region: "eu" });
    expect(inside.status).toBe(503);
    const open = await gateway.chat({ model: "wide-chat" });
    expect([open.status, open.headers.get("x-gw-region")]).toEqual([200, "us"]);
    const { key } = await gateway.createKey({ allowed_regions: "eu" });
    const locked = await gateway.chat({ model: "us-chat" }, { key });
    expect(locked.status).toBe(503);
    expect(((await locked.json()) as { error: { code: string } }).error.code).toBe("sovereign_route_unavailable");
  });
});

describe("afterwards", () => {
  test("the books are in order", () => expectCleanBooks(gateway));

  test("no hold is open", async () => {
    const open = await gateway.sql("SELECT count(*)::int AS n FROM hold WHERE state IN ('reserved', 'dispatched')");
    expect(open[0].n).toBe(0);
  });

  test("no connection to the supplier is left at work", async () => {
    const seen = await eventually(
      () => gateway.standIn.seen("none"),
      ({ inFlight }) => inFlight === 0,
    );
    expect(seen.inFlight).toBe(0);
  });

  test("the gateway has thrown nothing that it did not expect", () => {
    expect(gateway.output()).not.toMatch(/unexpected problem|uncaught|unhandled/i);
  });
});
