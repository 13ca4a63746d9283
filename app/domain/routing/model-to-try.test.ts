import { expect, test } from "vitest";
import type { Route } from "~/domain/catalogue/shared";
import { aModel, aPrice, aRoute, aSupplier } from "./__fixtures__/routes";
import { type Example, type KeyToTry, pickModelToTry } from "./model-to-try";

const route = (id: string, more: Partial<Route> & { dollars?: bigint } = {}) =>
  aRoute({
    model: aModel({ id }),
    upstreamModel: id,
    price: aPrice((more.dollars ?? 1n) * 1_000_000_000n, 1_000_000_000n),
    ...more,
  });
const pick = (
  routes: readonly Route[],
  {
    key = {},
    example = {},
    resting = [],
  }: { key?: Partial<KeyToTry>; example?: Partial<Example>; resting?: Route[] } = {},
) =>
  pickModelToTry(
    {
      models: new Map(routes.map(({ model }) => [model.id, model])),
      routes: new Map(routes.map((one) => [one.model.id, routes.filter(({ model }) => model === one.model)])),
    },
    {
      key: { allowedModels: [], allowedRegions: [], ...key },
      example: { preferred: "sandbox-chat", ...example },
      isReady: (one) => !resting.includes(one),
    },
  );

const sandbox = aSupplier({ kind: "sandbox", region: "global" });
const agents = aSupplier({ kind: "native_agent" });
const dear = route("a-dear", { dollars: 90n });
const cheap = route("z-cheap");

test("is the cheapest ordinary one, wherever it stands in the alphabet", () => {
  const never = route("b-never", { model: aModel({ id: "b-never", auto: false }), dollars: 0n });
  expect(pick([dear, never, cheap])).toBe("z-cheap");
  expect(pick([never])).toBe("b-never");
});

test("is the cheapest by what goes in and what comes out", () => {
  const cheapToAsk = route("a-talker", { price: aPrice(1n, 9_000_000_000n) });
  expect(pick([cheapToAsk, cheap])).toBe("z-cheap");
});

test("is the preferred one where that is there", () => {
  expect(pick([dear, cheap, route("sandbox-chat", { supplier: sandbox, dollars: 99n })])).toBe("sandbox-chat");
});

test("is never one that fails on purpose, has no price or no route, is drained, or is for something else", () => {
  const embed = route("embed", { model: aModel({ id: "embed", capability: "embedding" }) });
  const fault = route("sandbox-fault-401", { supplier: sandbox });
  const drained = route("drained", { supplier: aSupplier({ draining: true }) });
  expect(pick([embed, fault, drained, route("unpriced", { price: null })])).toBeNull();
});

test("is one that the key may use, in its regions", () => {
  expect(pick([dear, cheap], { key: { allowedModels: ["a-dear"] } })).toBe("a-dear");
  const abroad = route("abroad", { supplier: aSupplier({ region: "us" }), dollars: 0n });
  expect(pick([dear, abroad], { key: { allowedRegions: ["eu"] } })).toBe("a-dear");
  expect(pick([abroad], { key: { allowedRegions: ["eu"] } })).toBeNull();
});

test("is not one whose supplier rests, while there is another", () => {
  expect(pick([dear, cheap], { resting: [cheap] })).toBe("a-dear");
  expect(pick([cheap], { resting: [cheap] })).toBe("z-cheap");
});

test("is for native agents what native agents reach, and for nobody else", () => {
  const agent = route("agent", { supplier: agents, dollars: 0n });
  expect(pick([agent, cheap])).toBe("z-cheap");
  expect(pick([agent, cheap], { example: { preferred: "sandbox-agent", native: true } })).toBe("agent");
  expect(pick([cheap], { example: { native: true } })).toBeNull();
});
