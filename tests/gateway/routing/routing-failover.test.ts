import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { pause } from "../../support/chat-gateway";
import { type RoutingGateway, startRoutingGateway } from "../../support/routing-gateway";

let gateway: RoutingGateway;
beforeAll(async () => {
  gateway = await startRoutingGateway();
});
afterAll(() => gateway.close());
beforeEach(() => gateway.quiet());

/** Sends calls one after the other. Returns the supplier of each, and whether it was the second choice. */
async function calls(count: number, body: object = {}, key?: string) {
  const answers = [];
  for (let turn = 0; turn < count; turn += 1) {
    const { status, headers } = await gateway.chat(body, { key });
    answers.push({ status, supplier: headers.get("x-gw-supplier"), failover: headers.get("x-gw-failover") });
  }
  return answers;
}

describe("one of two suppliers is down", () => {
  test("nobody notices, the second is asked at once, and the first is left alone until it is back", async () => {
    await gateway.first.plan({ faults: { "503": 1 } });
    const answers = await calls(60, { model: "ranked" });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ supplier }) => supplier))).toEqual(new Set(["second"]));
    const seen = (await gateway.first.seen()).requests.length;
    expect(answers.filter(({ failover }) => failover === "true")).toHaveLength(seen);
    // Five failures open the circuit breaker; then there is at most one probe per second.
    expect(seen).toBeLessThanOrEqual(5 + 4);

    await gateway.first.plan({});
    const until = Date.now() + 5_000;
    let [last] = await calls(1, { model: "ranked" });
    while (last!.supplier !== "first" && Date.now() < until) {
      await pause(100);
      [last] = await calls(1, { model: "ranked" });
    }
    expect(last).toEqual({ status: 200, supplier: "first", failover: "false" });
  });

  test.each(["429", "500", "error-first"])("also when it says %s, whole and streamed", async (fault) => {
    for (const stream of [false, true]) {
      await gateway.quiet();
      await gateway.first.plan({ queue: [fault] });
      const response = await gateway.chat({ model: "ranked-steady", stream });
      expect([response.status, response.headers.get("x-gw-supplier"), response.headers.get("x-gw-failover")]).toEqual([
        200,
        "second",
        "true",
      ]);
      expect(await response.text()).not.toContain("error");
    }
  });

  test("the second attempt leaves within 20 milliseconds of the first one's failure", async () => {
    await gateway.first.plan({ faults: { "500": 1 } });
    const gaps: number[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      const response = await gateway.chat({ model: "ranked-steady" });
      await response.text();
      const { attempts } = await gateway.usageOf(response.headers.get("x-request-id")!);
      gaps.push(attempts[1]!.startedMs - attempts[0]!.endedMs);
    }
    expect(gaps.toSorted((a, b) => a - b).at(-2)!).toBeLessThanOrEqual(20);
  });
});

test("both are down: attempts stay within 1.25 of the requests once the breakers are open", async () => {
  for (const standIn of [gateway.first, gateway.second]) await standIn.plan({ faults: { "503": 1 } });
  await calls(30, { model: "pair" });
  for (const standIn of [gateway.first, gateway.second]) await standIn.forget();
  const answers = await calls(120, { model: "pair" });
  const attempts = await Promise.all([gateway.first.seen(), gateway.second.seen()]);
  const made = attempts.reduce((sum, { requests }) => sum + requests.length, 0);
  expect(made / answers.length).toBeLessThanOrEqual(1.25);
  expect(new Set(answers.map(({ status }) => status >= 500))).toEqual(new Set([true]));
});

test("Retry-After is waited for while there is another supplier, and told when there is none", async () => {
  await gateway.first.plan({ queue: ["429:seconds"] });
  const answers = await calls(10, { model: "limited" });
  expect(answers.map(({ supplier }) => supplier)).toEqual(Array.from({ length: 10 }, () => "second"));
  expect((await gateway.first.seen()).requests).toHaveLength(1);
  await gateway.first.plan({ queue: ["429:seconds"] });
  const alone = await gateway.chat({ model: "alone" });
  expect([alone.status, alone.headers.get("retry-after")]).toEqual([429, "7"]);
});

describe("a region lock", () => {
  test("holds through failure: the supplier outside is never connected to", async () => {
    const { key } = await gateway.createKey({ allowed_regions: "eu" });
    await gateway.first.plan({ faults: { "503": 1 } });
    const byKey = await calls(12, { model: "locked" }, key);
    const byCall = await calls(4, { model: "locked", region: "eu-west" });
    expect([...byKey, ...byCall].every(({ status }) => status === 503)).toBe(true);
    expect(gateway.connectionsOutside()).toBe(0);
    await calls(1, { model: "locked" });
    expect(gateway.connectionsOutside()).toBe(1);
  });

  const messages = [{ role: "user", content: "Hello" }];
  const audio = new FormData();
  audio.set("model", "outside-transcription");
  audio.set("file", new File([silence()], "a.wav"));
  const ROUTES: [string, object | FormData][] = [
    ["chat/completions", { model: "outside-chat", messages }],
    ["chat/completions", { model: "outside-chat", messages, stream: true }],
    ["chat/completions", { model: "auto", messages }],
    ["messages", { model: "outside-chat", max_tokens: 9, messages }],
    ["messages", { model: "auto", max_tokens: 9, messages }],
    ["messages/count_tokens", { model: "outside-chat", messages }],
    ["embeddings", { model: "outside-embedding", input: "Hello" }],
    ["rerank", { model: "outside-rerank", query: "Hello", documents: ["Hello"] }],
    ["audio/speech", { model: "outside-speech", input: "Hello", voice: "alloy" }],
    ["audio/transcriptions", audio],
  ];

  test.each(ROUTES)("refuses on %s without any connection", async (path, body) => {
    const before = gateway.connectionsOutside();
    const { key } = await gateway.createKey({ allowed_regions: "ap-south" });
    const isForm = body instanceof FormData;
    const response = await fetch(`${gateway.url}/v1/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, ...(isForm ? {} : { "content-type": "application/json" }) },
      body: isForm ? body : JSON.stringify(body),
    });
    const { error } = (await response.json()) as { error: { code: string } };
    const isAuto = !isForm && "model" in body && body.model === "auto";
    expect(error.code).toBe(isAuto ? "autorouter_no_candidate" : "sovereign_route_unavailable");
    expect(response.ok).toBe(false);
    // A retry cannot change the allowed regions, so client libraries must not retry.
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(gateway.connectionsOutside()).toBe(before);
  });
});

/** Returns a WAV file with 100 ms of silence. */
function silence(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(44 + 1_600);
  const view = new DataView(bytes.buffer);
  const write = (at: number, text: string) => bytes.set(new TextEncoder().encode(text), at);
  write(0, "RIFF");
  view.setUint32(4, 36 + 1_600, true);
  write(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, 8_000, true);
  view.setUint32(28, 16_000, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  write(36, "data");
  view.setUint32(40, 1_600, true);
  return bytes;
}
