import { expect, test } from "vitest";
import type { Lane } from "~/domain/catalogue/shared";
import { aLane, aModel, aPrice, aSupplier } from "./__fixtures__/lanes";
import { type Example, type KeyToTry, pickModelToTry } from "./model-to-try";

const lane = (id: string, more: Partial<Lane> & { dollars?: bigint } = {}) =>
  aLane({
    model: aModel({ id }),
    upstreamModel: id,
    price: aPrice((more.dollars ?? 1n) * 1_000_000_000n, 1_000_000_000n),
    ...more,
  });
const pick = (
  lanes: readonly Lane[],
  {
    key = {},
    example = {},
    resting = [],
  }: { key?: Partial<KeyToTry>; example?: Partial<Example>; resting?: Lane[] } = {},
) =>
  pickModelToTry(
    {
      models: new Map(lanes.map(({ model }) => [model.id, model])),
      lanes: new Map(lanes.map((one) => [one.model.id, lanes.filter(({ model }) => model === one.model)])),
    },
    { allowedModels: [], allowedRegions: [], ...key },
    { preferred: "sandbox-chat", ...example },
    (one) => !resting.includes(one),
  );

const sandbox = aSupplier({ kind: "sandbox", region: "global" });
const agents = aSupplier({ kind: "native_agent" });
const dear = lane("a-dear", { dollars: 90n });
const cheap = lane("z-cheap");

test("is the cheapest ordinary one, wherever it stands in the alphabet", () => {
  const never = lane("b-never", { model: aModel({ id: "b-never", auto: false }), dollars: 0n });
  expect(pick([dear, never, cheap])).toBe("z-cheap");
  expect(pick([never])).toBe("b-never");
});

test("is the preferred one where that is there", () => {
  expect(pick([dear, cheap, lane("sandbox-chat", { supplier: sandbox, dollars: 99n })])).toBe("sandbox-chat");
});

test("is never one that fails on purpose, has no price or no lane, is drained, or is for something else", () => {
  const embed = lane("embed", { model: aModel({ id: "embed", capability: "embedding" }) });
  const fault = lane("sandbox-fault-401", { supplier: sandbox });
  const drained = lane("drained", { supplier: aSupplier({ draining: true }) });
  expect(pick([embed, fault, drained, lane("unpriced", { price: null })])).toBeNull();
});

test("is one that the key may use, in its regions", () => {
  expect(pick([dear, cheap], { key: { allowedModels: ["a-dear"] } })).toBe("a-dear");
  const abroad = lane("abroad", { supplier: aSupplier({ region: "us" }), dollars: 0n });
  expect(pick([dear, abroad], { key: { allowedRegions: ["eu"] } })).toBe("a-dear");
  expect(pick([abroad], { key: { allowedRegions: ["eu"] } })).toBeNull();
});

test("is not one whose supplier rests, while there is another", () => {
  expect(pick([dear, cheap], { resting: [cheap] })).toBe("a-dear");
  expect(pick([cheap], { resting: [cheap] })).toBe("z-cheap");
});

test("is for native agents what native agents reach, and for nobody else", () => {
  const agent = lane("agent", { supplier: agents, dollars: 0n });
  expect(pick([agent, cheap])).toBe("z-cheap");
  expect(pick([agent, cheap], { example: { preferred: "sandbox-agent", native: true } })).toBe("agent");
  expect(pick([cheap], { example: { native: true } })).toBeNull();
});
