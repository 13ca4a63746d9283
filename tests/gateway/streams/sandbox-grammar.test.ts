import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SANDBOX_FAULTS } from "~/gateway/suppliers/sandbox/faults";
import { type Gateway, startGateway } from "../../support/gateway";
import { chatViolations, messagesViolations, nativeViolations } from "../../support/stream-grammar";

/** Customers test their applications with the sandbox, so its streams and its faults must follow the grammar. */
const MODELS = ["sandbox-chat", ...SANDBOX_FAULTS.map(({ model }) => model)].filter(
  (name) => !/timeout|slow/.test(name),
);

let gateway: Gateway;
beforeAll(async () => {
  const price = { input_per_mtok: 0.5, output_per_mtok: 1.5 };
  gateway = await startGateway({
    config: {
      suppliers: [{ name: "sandbox", kind: "sandbox", region: "eu", cooldown: false }],
      models: MODELS.map((upstream_model) => ({
        ...{ id: upstream_model, capability: "chat", context_tokens: 128_000, max_output_tokens: 4_000 },
        routes: [{ supplier: "sandbox", upstream_model, price }],
      })),
    },
  });
});
afterAll(() => gateway?.close());

const TOOL = { name: "get_weather", description: "Today's weather" };
const SCHEMA = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const said = [{ role: "user", content: "What is the weather in Paris and in Rome?" }];

const CLIENTS = {
  chat: {
    path: "/v1/chat/completions",
    body: { messages: said, max_tokens: 100 },
    tools: [{ type: "function", function: { ...TOOL, parameters: SCHEMA } }],
    violations: (bytes: string) => chatViolations(bytes),
  },
  messages: {
    path: "/v1/messages",
    body: { messages: said, max_tokens: 100 },
    tools: [{ ...TOOL, input_schema: SCHEMA }],
    violations: messagesViolations,
  },
  native: {
    path: "/v1/vendorb/responses",
    body: { input: said },
    tools: [{ type: "function", ...TOOL, parameters: SCHEMA }],
    violations: nativeViolations,
  },
};

/** Statuses of faults before the first content; all other faults break a stream that has begun. */
const STATUSES: Record<string, number> = {
  ...{ "401": 502, "429": 429, "500": 500, "503": 503, "529": 529, "cut-before": 502, empty: 502, "error-event": 502 },
};
/** These faults occur in the middle of a native tool call, before any content; error events keep their status. */
const NATIVE = { "error-event": 500 };
const NATIVE_TOOLS: Record<string, number> = { ...NATIVE, cut: 502, "error-mid": 500, malformed: 502 };

function statusFor(client: string, model: string, hasTools: boolean): number {
  const fault = model.replace("sandbox-fault-", "");
  const own: Record<string, number> = client !== "native" ? {} : hasTools ? NATIVE_TOOLS : NATIVE;
  return own[fault] ?? STATUSES[fault] ?? 200;
}

describe.concurrent.each(Object.entries(CLIENTS))("a %s client", (client, { path, body, tools, violations }) => {
  test.each(MODELS)("of %s", async (model) => {
    for (const offered of [{}, { tools }]) {
      const response = await fetch(`${gateway.url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
        body: JSON.stringify({ model, stream: true, ...body, ...offered }),
      });
      const text = await response.text();
      // Usage passes unchanged to messages clients, also if it is missing.
      const isAboutUsage = (violation: string) => model.endsWith("-usage") && violation.includes("without usage");
      if (response.status === 200) expect(violations(text).filter((violation) => !isAboutUsage(violation))).toEqual([]);
      else expect(JSON.parse(text).error.code).toMatch(/^[a-z0-9_]+$/);
      expect(response.status).toBe(statusFor(client, model, "tools" in offered));
    }
  });
});
