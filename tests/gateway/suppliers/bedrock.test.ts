import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventsOf, expectCleanBooks, priceOf, textOf, usageRows } from "../../support/chat-gateway";
import { type Gateway, startGateway } from "../../support/gateway";
import { ACCESS_KEY, BEDROCK_KEY, type BedrockStandIn, startBedrockStandIn } from "../../support/stand-in-bedrock";
import { type StandIn, startStandIn } from "../../support/stand-in-supplier";

let standIn: StandIn;
let bedrock: BedrockStandIn;
let gateway: Gateway;

const supplier = (name: string, apiKey: string) => ({
  name,
  kind: "bedrock",
  base_url: bedrock.url,
  region: "eu",
  cooldown: false,
  credentials: [{ name: "main", api_key: apiKey }],
});
const model = (id: string, ...routes: [supplier: string, upstream: string][]) => ({
  id,
  context_tokens: 128_000,
  max_output_tokens: 4_000,
  routes: routes.map(([name, upstream_model], index) => ({
    ...{ supplier: name, upstream_model, priority: index + 1 },
    price: { input_per_mtok: 0.5, output_per_mtok: 1.5 },
  })),
});

beforeAll(async () => {
  standIn = await startStandIn();
  bedrock = await startBedrockStandIn(standIn.url);
  gateway = await startGateway({
    config: {
      suppliers: [
        supplier("signed", ACCESS_KEY),
        supplier("keyed", BEDROCK_KEY),
        supplier("stranger", `${ACCESS_KEY}x`),
      ],
      models: [
        model("nova", ["signed", "amazon.nova-pro-v1:0"]),
        model("limited", ["signed", "x-fault-429"], ["keyed", "amazon.nova-pro-v1:0"]),
        model("unknown", ["stranger", "amazon.nova-pro-v1:0"]),
        model("cut", ["signed", "x-fault-cut"]),
        model("failing", ["signed", "x-fault-error-mid"]),
      ],
    },
  });
});
afterAll(async () => {
  await gateway?.close();
  await bedrock?.close();
  await standIn?.close();
});

const BODIES = {
  "chat/completions": { messages: [{ role: "user", content: "Hello" }], max_tokens: 30 },
  completions: { prompt: "Hello", max_tokens: 30 },
  messages: { messages: [{ role: "user", content: "Hello" }], max_tokens: 30 },
  responses: { input: "Hello", max_output_tokens: 30, store: false },
} as const;
type Endpoint = keyof typeof BODIES;

const ask = (endpoint: Endpoint, body: object) =>
  fetch(`${gateway.url}/v1/${endpoint}`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...BODIES[endpoint], ...body }),
  });

/** Returns the charge of a call, and its cost by the supplier's own bill. */
async function moneyOf(response: Response) {
  const callId = response.headers.get("x-request-id")!;
  const [usage] = await usageRows(gateway, callId);
  const billed = (await standIn.bill()).filter(({ id }) => id === callId);
  return { usage: usage!, billed: billed.map((each) => priceOf(each.promptTokens, each.completionTokens)) };
}

describe.each(Object.keys(BODIES) as Endpoint[])("Bedrock for clients of %s", (endpoint) => {
  test.each([false, true])("answers under a signature and is charged by its own bill, stream: %s", async (stream) => {
    const response = await ask(endpoint, { model: "nova", stream });
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).toContain("w0");
    const { usage, billed } = await moneyOf(response);
    expect(usage).toMatchObject({ outcome: "complete", tokenSource: "supplier" });
    expect([usage.charged]).toEqual(billed);
    const { path, authorization } = bedrock.asked.at(-1)!;
    expect(path).toBe(`/model/amazon.nova-pro-v1%3A0/converse${stream ? "-stream" : ""}`);
    expect(authorization).toMatch(/^AWS4-HMAC-SHA256 /);
  });

  test("goes on with the next supplier where it is throttled", async () => {
    const response = await ask(endpoint, { model: "limited", stream: true });
    expect(await response.text()).toContain("w0");
    expect(response.headers.get("x-gw-supplier")).toBe("keyed");
    expect((await moneyOf(response)).usage.attempts).toMatchObject([{ supplier: "signed", status: 429 }, {}]);
  });

  test("charges what was delivered of a stream that breaks or fails", async () => {
    for (const name of ["cut", "failing"]) {
      const response = await ask(endpoint, { model: name, stream: true, ...longer(endpoint) });
      expect(await response.text()).toMatch(/error/);
      const { usage } = await moneyOf(response);
      expect(usage).toMatchObject({ tokenSource: "estimated" });
      expect(usage.charged).toBeGreaterThan(0n);
    }
  });
});

const longer = (endpoint: Endpoint) =>
  endpoint === "responses" ? { max_output_tokens: 40 } : ({ max_tokens: 40 } as object);

test("a chat client gets every word of a stream in order, and a tool call with its arguments", async () => {
  const events = await eventsOf(await ask("chat/completions", { model: "nova", stream: true }));
  const words = textOf(events).split(" ");
  expect(words).toEqual(words.map((_word, index) => `w${index}`));
  const tools = [{ type: "function", function: { name: "weather", parameters: { type: "object" } } }];
  const called = await ask("chat/completions", { model: "nova", tools });
  expect(await called.json()).toMatchObject({
    choices: [
      {
        finish_reason: "tool_calls",
        message: { tool_calls: [{ function: { name: "weather", arguments: '{"city":"Paris"}' } }] },
      },
    ],
  });
});

test("a signature that Bedrock does not know is not the client's affair", async () => {
  const response = await ask("chat/completions", { model: "unknown" });
  expect(response.status).toBe(502);
  expect(await response.text()).not.toContain("security token");
});

test("the books are clean", () => expectCleanBooks(gateway));
