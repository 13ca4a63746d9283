import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RoutingGateway, startRoutingGateway } from "../../support/routing-gateway";

let gateway: RoutingGateway;
beforeAll(async () => {
  gateway = await startRoutingGateway();
});
afterAll(() => gateway.close());
beforeEach(() => gateway.quiet());

const TOOL = { type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } };

async function auto(body: object = {}, init: { key?: string; headers?: Record<string, string> } = {}) {
  const response = await gateway.chat({ model: "auto", ...body }, init);
  const answer = (await response.json()) as { error?: { code: string } };
  if (answer.error) return answer.error.code;
  return (await gateway.usageOf(response.headers.get("x-request-id")!)).model;
}

describe("the model auto", () => {
  test("is chosen by the header's algorithm, or the body's, or the key's", async () => {
    expect(await auto({}, { headers: { "x-gw-autorouter": "cheapest" } })).toBe("cheap");
    expect(await auto({ metadata: { autorouter: "quality" } })).toBe("best");
    const { key } = await gateway.createKey({ metadata: { autorouter: "quality" } });
    expect(await auto({}, { key })).toBe("best");
    expect(await auto({ metadata: { autorouter: "cheapest" } }, { key })).toBe("cheap");
    expect(await auto({ metadata: { autorouter: "luck" } })).toBe("unsupported_autorouter_algorithm");
  });

  test("can do what the request asks for", async () => {
    expect(await auto({ tools: [TOOL], metadata: { autorouter: "cheapest" } })).toBe("able");
  });

  test("stays within the key's models and regions", async () => {
    const quality = { metadata: { autorouter: "quality" } };
    const { key: inside } = await gateway.createKey({ allowed_regions: "eu", ...quality });
    expect(await auto({}, { key: inside })).toBe("able");
    const { key: few } = await gateway.createKey({ allowed_models: ["cheap"], ...quality });
    expect(await auto({}, { key: few })).toBe("cheap");
    const { key: none } = await gateway.createKey({ allowed_models: ["cheap"] });
    expect(await auto({ tools: [TOOL] }, { key: none })).toBe("autorouter_no_candidate");
    expect(await auto({ region: "asia" })).toBe("autorouter_no_candidate");
  });

  test("goes on with the runner-up when the chosen one fails", async () => {
    await gateway.first.plan({ queue: ["500"] });
    expect(await auto({ metadata: { autorouter: "cheapest" } })).toBe("able");
  });

  test("keeps its choice within a session", async () => {
    const headers = { "x-session-id": "auto-session" };
    await gateway.first.plan({ queue: ["500"] });
    expect(await auto({ metadata: { autorouter: "cheapest" } }, { headers })).toBe("able");
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await auto({ metadata: { autorouter: "cheapest" } }, { headers })).toBe("able");
    }
  });

  test("does not reach the supplier, nor does the choice of algorithm", async () => {
    await auto({ metadata: { autorouter: "cheapest" } });
    const { body } = (await gateway.first.seen()).requests[0]!;
    expect(JSON.parse(body)).toMatchObject({ model: "upstream-cheap" });
    expect(body).not.toContain("autorouter");
  });

  test("is refused where nothing can be chosen", async () => {
    const response = await fetch(`${gateway.url}/v1/embeddings`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "auto", input: "Hello" }),
    });
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: { code: string } }).error.code).toBe("unsupported_auto_mode");
  });
});
