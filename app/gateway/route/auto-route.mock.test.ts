import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Model } from "~/domain/catalogue/shared";
import { priceUsage } from "~/domain/pricing/price-usage";
import { aModel, aPrice, aRoute, aSupplier } from "~/domain/routing/__fixtures__/routes";
import { callWith } from "../__fixtures__/call-with";
import { aCaller, anInferenceRequest, callContext, fakeDialect, serve, world } from "../__fixtures__/fake-suppliers";
import { Call } from "../call-record";
import { NO_USAGE } from "../canonical/usage";
import type { Dialect } from "../dialects/dialect";
import { route } from ".";
import { describeRouting } from "./trace";

vi.mock("~/domain/catalogue/index.server", async () => (await import("../__fixtures__/fake-suppliers")).catalogueFace);
vi.mock("../suppliers/registry", async () => (await import("../__fixtures__/fake-suppliers")).registry);
vi.mock("../dialects/translators", async () => (await import("../__fixtures__/fake-suppliers")).translators);

const laneOf = (model: Partial<Model>, dollars: number, region = "eu") =>
  aRoute({
    model: aModel(model),
    supplier: aSupplier({ region }),
    price: aPrice(BigInt(dollars * 1_000_000_000), BigInt(dollars * 3_000_000_000)),
  });

const small = laneOf({ id: "small", contextTokens: 8_000, tools: false }, 0.1);
const middle = laneOf({ id: "middle", tools: true, images: true }, 1);
const great = laneOf({ id: "great", tools: true, quality: 99 }, 10);

beforeEach(() => {
  serve([small, middle, great]);
  world.faults = [];
});

const auto = (more = {}) => anInferenceRequest({ requestedModel: "auto", ...more });
const modelOf = async (more = {}, how = {}) => {
  const { reply, problem } = await callWith(auto(more), how);
  return reply?.route.model.id ?? (problem as { code: string }).code;
};

describe("the choice", () => {
  test("is by the header, else by the body, else by the key, else balanced", async () => {
    const caller = aCaller({ autorouter: { algorithm: "quality", defaultModel: null } });
    const source = { metadata: { autorouter: "cheapest" } };
    expect(await modelOf({ source }, { caller, headers: { "x-gw-autorouter": "Quality" } })).toBe("great");
    expect(await modelOf({ source }, { caller })).toBe("small");
    expect(await modelOf({}, { caller })).toBe("great");
    const { plan } = await callWith(auto());
    expect(plan?.trace.auto?.algorithm).toBe("balanced");
  });

  test("leaves the sandbox out where another supplier has a model, and takes it where none has", async () => {
    const made = aRoute({
      model: aModel({ id: "made-up" }),
      supplier: aSupplier({ region: "eu", kind: "sandbox" }),
      price: aPrice(1n, 1n),
    });
    serve([made, great]);
    const source = { metadata: { autorouter: "cheapest" } };
    expect(await modelOf({ source })).toBe("great");
    const { plan } = await callWith(auto({ source }));
    expect(plan?.trace.auto?.excluded).toEqual([{ model: "made-up", why: "not_for_auto" }]);
    serve([made]);
    expect(await modelOf({ source })).toBe("made-up");
  });

  test("refuses an algorithm that there is not", async () => {
    expect(await modelOf({}, { headers: { "x-gw-autorouter": "luck" } })).toBe("unsupported_autorouter_algorithm");
    expect(world.dispatched).toEqual([]);
  });

  test("what is off stays off, whatever the request says, and reaches no supplier", async () => {
    const caller = aCaller({ autorouter: { algorithm: "off", defaultModel: null } });
    expect(await modelOf({}, { caller })).toBe("unsupported_auto_mode");
    expect(await modelOf({}, { caller, headers: { "x-gw-autorouter": "cheapest" } })).toBe("unsupported_auto_mode");
    expect(world.dispatched).toEqual([]);
  });

  const cheapest = { headers: { "x-gw-autorouter": "cheapest" } };

  test("fits what the request needs", async () => {
    expect(await modelOf({}, cheapest)).toBe("small");
    expect(await modelOf({ source: { tools: [{}] } }, cheapest)).toBe("middle");
    const image = { role: "user", content: [{ type: "image_url", image_url: { url: "data:," } }] };
    expect(await modelOf({ source: { messages: [image] } }, cheapest)).toBe("middle");
    expect(await modelOf({ size: { ...auto().size, bodyBytes: 60_000 } }, cheapest)).toBe("middle");
    expect(await modelOf({ size: { ...auto().size, maxOutputTokens: 4_001 } }, cheapest)).toBe(
      "autorouter_no_candidate",
    );
  });

  test("stays inside the key's models and regions", async () => {
    expect(await modelOf({}, { ...cheapest, caller: aCaller({ allowedModels: ["great"] }) })).toBe("great");
    expect(await modelOf({}, { caller: aCaller({ allowedModels: ["other"] }) })).toBe("autorouter_no_candidate");
    serve([{ ...small, supplier: { ...small.supplier, region: "us" } }, middle]);
    expect(await modelOf({}, { ...cheapest, caller: aCaller({ allowedRegions: ["eu"] }) })).toBe("middle");
    expect(await modelOf({ region: "asia" }, cheapest)).toBe("autorouter_no_candidate");
    expect(world.dispatched).toEqual([]);
    const refusal = async (region: string | null) => {
      const { problem } = await callWith(auto({ region }), { caller: aCaller({ allowedModels: ["other"] }) });
      return (problem as { humanMessage: string }).humanMessage;
    };
    expect(await refusal("asia")).toContain("in the region that it names");
    expect(await refusal(null)).not.toContain("region");
  });

  test("goes on with the runner-up when the chosen model fails, and a session stays there", async () => {
    world.faults = ["500"];
    expect(await modelOf({ sessionId: "s" }, cheapest)).toBe("middle");
    expect(await modelOf({ sessionId: "s" }, cheapest)).toBe("middle");
    expect(await modelOf({ sessionId: "other" }, cheapest)).toBe("small");
  });

  test("is for chat and messages only", () => {
    const embeddings = { ...fakeDialect, name: "embeddings" } as Dialect;
    const call = new Call(new Request("http://gw/v1/embeddings", { method: "POST" }));
    expect(() => route(callContext(auto(), { call, dialect: embeddings }))).toThrow(/^unsupported_auto_mode/);
    call.close();
  });
});

test("what is held covers every model that may serve", () => {
  const call = new Call(new Request("http://gw/v1/chat/completions", { method: "POST" }));
  const plan = route(
    callContext(auto(), { call, caller: aCaller({ autorouter: { algorithm: "cheapest", defaultModel: null } }) }),
  );
  call.close();
  expect(plan.routes.map(({ model }) => model.id)).toEqual(["small", "middle"]);
  expect(plan.model).toMatchObject({ id: "small", contextTokens: 128_000 });
});

test("the reasons say what the default model would have cost for the very same usage", async () => {
  const usage = { ...NO_USAGE, inputTokens: 1_000, outputTokens: 200 };
  const recordOf = async (defaultModel: string | null) => {
    const caller = aCaller({ autorouter: { algorithm: "cheapest", defaultModel } });
    const { plan, attempts } = await callWith(auto({ source: { tools: [{}] } }), { caller });
    return describeRouting(plan!.trace, attempts.tried, ({ price }) => priceUsage(price, usage)).auto!;
  };
  expect(await recordOf("middle")).toMatchObject({
    algorithm: "cheapest",
    chosen: "middle",
    models: [{ model: "middle", score: 1 }, { model: "great" }],
    excluded: [{ model: "small", why: "tools" }],
    default: { model: "middle", costNanoUsd: String(priceUsage(middle.price!, usage)) },
  });
  // Without a default of the key: the model of the highest quality.
  expect((await recordOf(null)).default).toEqual({
    model: "great",
    costNanoUsd: String(priceUsage(great.price!, usage)),
  });
});
