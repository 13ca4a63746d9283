import { expect, test } from "vitest";
import type { RouteHealthView } from "~/domain/routing/shared";
import { supplierHealth } from "./supplier-health";

const aRoute = (more: Partial<RouteHealthView>): RouteHealthView => ({
  ...{ routeId: 1, model: "m", supplier: "one", region: "eu", state: "closed", reason: null, coolDownEndsAt: null },
  ...{ successRate: 1, firstByteMs: 100, observations: 10 },
  ...more,
});

test("the models that are paused stand by their supplier, and figures weigh as much as was seen", () => {
  const open = { state: "open", reason: "500", coolDownEndsAt: "2026-01-01T00:00:05.000Z" } as const;
  const health = supplierHealth([
    aRoute({}),
    aRoute({ model: "b", ...open, successRate: 0, firstByteMs: null, observations: 30 }),
    aRoute({ supplier: "two", observations: 0 }),
  ]);
  expect(health).toEqual({
    one: { watched: 2, paused: [{ model: "b", ...open }], successRate: 0.25, firstByteMs: 100 },
    two: { watched: 1, paused: [], successRate: null, firstByteMs: null },
  });
});
