import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { Route } from "~/domain/catalogue/shared";
import type { Caller } from "~/domain/keys/shared";
import { aModel, aRoute, aSupplier, credentials } from "~/domain/routing/__fixtures__/routes";
import { AppError } from "~/errors/app-error";
import { callWith } from "../__fixtures__/call-with";
import { aCaller, anInferenceRequest, FAULTS, serve, world } from "../__fixtures__/fake-suppliers";
import type { InferenceRequest } from "../canonical/inference-request";
import { SupplierFailure } from "../canonical/supplier-failure";

vi.mock("~/domain/catalogue/index.server", async () => (await import("../__fixtures__/fake-suppliers")).catalogueFace);
vi.mock("../suppliers/registry", async () => (await import("../__fixtures__/fake-suppliers")).registry);
vi.mock("../dialects/translators", async () => (await import("../__fixtures__/fake-suppliers")).translators);

const REGIONS = ["eu", "eu", "eu-west", "eu-west", "eu-north", "us", "us-east", "eur", "EU-South", ""];
const MODELS = ["m1", "m2"];

const laneShape = fc.record({
  model: fc.constantFrom(...MODELS),
  region: fc.constantFrom(...REGIONS),
  kind: fc.constantFrom<"chat" | "aggregator">("chat", "chat", "chat", "aggregator"),
  priority: fc.integer({ min: 1, max: 3 }),
  weight: fc.integer({ min: 0, max: 2 }),
  credentials: fc.subarray(["a", "b", "c"]),
  draining: fc.constantFrom(false, false, false, true),
  cooldown: fc.boolean(),
  priced: fc.constantFrom(true, true, true, false),
});

const keyShape = fc.record({
  keyId: fc.integer({ min: 1, max: 3 }),
  allowedModels: fc.oneof(fc.constant([]), fc.subarray(MODELS)),
  allowedRegions: fc.oneof(fc.constant([]), fc.constant(["eu"]), fc.subarray(["eu", "eu-west", "us", "asia"])),
});

const requestShape = fc.record({
  key: fc.nat({ max: 1 }),
  requestedModel: fc.constantFrom(...MODELS, "auto"),
  region: fc.constantFrom(null, null, null, "eu", "eu", "eu-west", "us", "nowhere"),
  sessionId: fc.constantFrom(null, "s1", "s2"),
  stream: fc.boolean(),
  retrySafe: fc.boolean(),
  faults: fc.array(fc.constantFrom(...FAULTS), { maxLength: 3 }),
  afterMs: fc.integer({ min: 0, max: 20_000 }),
  /** A supplier starts draining, or moves to another region, before the request. */
  change: fc.option(
    fc.record({ at: fc.nat({ max: 11 }), region: fc.constantFrom(...REGIONS), draining: fc.boolean() }),
    { freq: 4 },
  ),
});

/** The rule, implemented a second time and independently of the code under test. */
function isInside(route: Route, caller: Caller, inference: InferenceRequest): boolean {
  const covers = (area: string) => `${route.supplier.region.toLowerCase()}-`.startsWith(`${area}-`);
  if (route.supplier.draining || route.price === null || route.supplier.kind === "aggregator") return false;
  if (inference.requestedModel !== "auto" && route.model.id !== inference.requestedModel) return false;
  if (caller.allowedModels.length > 0 && !caller.allowedModels.includes(route.model.id)) return false;
  if (inference.region !== null && !covers(inference.region)) return false;
  return caller.allowedRegions.length === 0 || caller.allowedRegions.some(covers);
}

test("no dispatch leaves the regions, the models and the suppliers that a call is allowed: 40,000 random runs", async () => {
  vi.useFakeTimers({ toFake: ["performance", "Date"] });
  const seen = { runs: 0, dispatches: 0, refused: 0, failedOver: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(laneShape, { minLength: 1, maxLength: 12, size: "max" }),
      fc.array(keyShape, { minLength: 2, maxLength: 2 }),
      fc.array(requestShape, { minLength: 20, maxLength: 20 }),
      async (shapes, keys, requests) => {
        let routes = shapes.map(({ model, priced, priority, weight, credentials: names, ...supplier }) =>
          aRoute({
            ...(priced ? {} : { price: null }),
            priority,
            weight,
            model: aModel({ id: model }),
            supplier: aSupplier({ ...supplier, credentials: credentials(...names) }),
          }),
        );
        for (const { key, faults, afterMs, change, ...request } of requests) {
          vi.advanceTimersByTime(afterMs);
          if (change)
            routes = routes.map((route, at) => (at === change.at % routes.length ? moved(route, change) : route));
          serve(routes);
          world.faults = [...faults];
          const caller = aCaller(keys[key]);
          const inference = anInferenceRequest(request);
          const { problem } = await callWith(inference, { caller });
          if (problem !== null && !(problem instanceof AppError || problem instanceof SupplierFailure)) throw problem;

          const open = routes.filter((route) => isInside(route, caller, inference));
          const { dispatched } = world;
          expect(dispatched.length).toBeLessThanOrEqual(3);
          expect(dispatched.length > 0).toBe(open.length > 0);
          for (const { route, credential } of dispatched) {
            expect(open).toContain(route);
            if (credential !== null) expect(route.supplier.credentials).toContain(credential);
          }
          seen.runs += 1;
          seen.dispatches += dispatched.length;
          if (dispatched.length === 0) seen.refused += 1;
          if (dispatched.length > 1) seen.failedOver += 1;
        }
      },
    ),
    { numRuns: 2_000 },
  );
  vi.useRealTimers();
  expect(seen.runs).toBeGreaterThanOrEqual(40_000);
  // The runs cover enough cases: dispatched, refused and failed over.
  expect(seen.dispatches).toBeGreaterThan(10_000);
  expect(seen.refused).toBeGreaterThan(2_000);
  expect(seen.failedOver).toBeGreaterThan(2_000);
}, 120_000);

const moved = (route: Route, { region, draining }: { region: string; draining: boolean }): Route => ({
  ...route,
  supplier: { ...route.supplier, region, draining },
});
