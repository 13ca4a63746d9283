import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Route } from "~/domain/catalogue/shared";
import { aPrice, aRoute, aSupplier, credentials } from "~/domain/routing/__fixtures__/routes";
import { apiError } from "~/errors/app-error";
import { callWith } from "../__fixtures__/call-with";
import { anInferenceRequest, serve, translators, world } from "../__fixtures__/fake-suppliers";
import { SupplierFailure } from "../canonical/supplier-failure";
import { describeRouting } from "../route/trace";

vi.mock("~/domain/catalogue/index.server", async () => (await import("../__fixtures__/fake-suppliers")).catalogueFace);
vi.mock("../suppliers/registry", async () => (await import("../__fixtures__/fake-suppliers")).registry);
vi.mock("../dialects/translators", async () => (await import("../__fixtures__/fake-suppliers")).translators);

beforeEach(() => {
  world.faults = [];
  world.faultsAt.clear();
});

const names = () => world.dispatched.map(({ route }) => route.supplier.name);
function two(): [Route, Route] {
  const routes: [Route, Route] = [aRoute({ priority: 1 }), aRoute({ priority: 2 })];
  serve(routes);
  return routes;
}

describe("what goes to another supplier", () => {
  const ELSEWHERE = ["429", "500", "502", "503+1", "529", "401", "403", "408", "connect", "first-error", "cut"];

  test.each(ELSEWHERE)("%s, whole and streamed", async (fault) => {
    for (const stream of [false, true]) {
      // Only a stream can be cut after its headers.
      if (fault === "cut" && !stream) continue;
      const [first, second] = two();
      world.faultsAt.set(first.supplier.name, fault);
      const { reply, attempts } = await callWith(anInferenceRequest({ stream }));
      expect(names()).toEqual([first.supplier.name, second.supplier.name]);
      expect(reply?.route).toBe(second);
      expect(attempts.records.map(({ outcome }) => outcome)).toEqual(["not_executed", "delivered"]);
    }
  });

  test.each(["400", "404", "413", "422"])("but not %s: the request is at fault", async (fault) => {
    const [first] = two();
    world.faultsAt.set(first.supplier.name, fault);
    const { problem } = await callWith(anInferenceRequest());
    expect(names()).toEqual([first.supplier.name]);
    expect(problem).toBeInstanceOf(SupplierFailure);
  });

  test.each(["timeout", "reset"])(
    "%s of unknown outcome only when a second time leaves nothing behind",
    async (fault) => {
      for (const [retrySafe, attempts] of [
        [true, 2],
        [false, 1],
      ] as const) {
        const [first] = two();
        world.faultsAt.set(first.supplier.name, fault);
        const { records } = (await callWith(anInferenceRequest({ retrySafe }))).attempts;
        expect(records).toHaveLength(attempts);
        expect(records[0]!.outcome).toBe("unknown");
      }
    },
  );

  test("an answer that broke off only when a second time leaves nothing behind", async () => {
    for (const [retrySafe, attempts] of [
      [true, 2],
      [false, 1],
    ] as const) {
      const [first] = two();
      world.faultsAt.set(first.supplier.name, "first-error");
      expect((await callWith(anInferenceRequest({ retrySafe }))).attempts.records).toHaveLength(attempts);
    }
  });

  test("the last failure is what the client hears of", async () => {
    const [first, second] = two();
    world.faultsAt.set(first.supplier.name, "500");
    world.faultsAt.set(second.supplier.name, "429+9");
    const { problem } = await callWith(anInferenceRequest());
    expect(problem).toMatchObject({ status: 429, retryAfterSeconds: 9 });
  });
});

test("a route whose dialect cannot express the request is passed over; with no other one the client is told", async () => {
  const [first, second] = two();
  const forward = translators.translatorFor().forward;
  const inexpressible = new Set([first]);
  const spy = vi.spyOn(translators.translatorFor(), "forward").mockImplementation((inference, route) => {
    if (inexpressible.has(route)) throw apiError("unsupported_parameter");
    return forward(inference, route);
  });
  expect((await callWith(anInferenceRequest())).reply?.route).toBe(second);
  inexpressible.add(second);
  expect((await callWith(anInferenceRequest())).problem).toMatchObject({ code: "unsupported_parameter" });
  expect(names()).toEqual([]);
  spy.mockRestore();
});

test("a bad credential is replaced by another one of the same supplier, at once and for the next minute", async () => {
  const route = aRoute({ supplier: aSupplier({ credentials: credentials("good", "bad") }) });
  serve([route]);
  world.faults = ["401"];
  const { reply, attempts } = await callWith(anInferenceRequest());
  expect(reply?.route).toBe(route);
  const [refused, used] = world.dispatched.map(({ credential }) => credential?.name);
  expect(used).not.toBe(refused);
  expect(attempts.records).toHaveLength(2);
  for (let turn = 0; turn < 5; turn += 1) {
    await callWith(anInferenceRequest());
    expect(world.dispatched.map(({ credential }) => credential?.name)).toEqual([used]);
  }
});

describe("a session", () => {
  const where = async (headers: Record<string, string>, more = {}) => {
    const { order } = (await callWith(anInferenceRequest(more), { headers })).plan!.trace;
    return { route: names().at(-1), pin: order.pin, from: order.session?.from };
  };

  test("stays on its route for a thousand turns", async () => {
    serve([aRoute(), aRoute(), aRoute()]);
    const first = await where({}, { sessionId: "long" });
    for (let turn = 0; turn < 1_000; turn += 1) {
      expect(await where({}, { sessionId: "long" })).toEqual({ route: first.route, pin: "kept", from: "body" });
    }
  });

  test("moves when its supplier dies, and stays where it went after the supplier is back", async () => {
    const routes = [aRoute(), aRoute(), aRoute()];
    serve(routes);
    const { route: before } = await where({}, { sessionId: "mover" });
    world.faultsAt.set(before!, "500");
    const { route: after } = await where({}, { sessionId: "mover" });
    expect(after).not.toBe(before);
    world.faultsAt.clear();
    expect(await where({}, { sessionId: "mover" })).toEqual({ route: after, pin: "kept", from: "body" });
  });

  test("leaves a supplier that is being drained, and never comes out of its region", async () => {
    const routes = [aRoute(), aRoute({ supplier: aSupplier({ region: "us" }) })];
    serve(routes);
    const { route: before } = await where({}, { sessionId: "drained" });
    const other = routes.find(({ supplier }) => supplier.name !== before)!;
    const pinned = routes.find(({ supplier }) => supplier.name === before)!;
    serve([other, { ...pinned, supplier: { ...pinned.supplier, draining: true } }]);
    expect(await where({}, { sessionId: "drained" })).toMatchObject({ route: other.supplier.name, pin: "moved" });
    const inside = routes.find(({ supplier }) => supplier.region === "eu")!;
    serve(routes);
    expect((await where({}, { sessionId: "drained", region: "eu" })).route).toBe(inside.supplier.name);
  });

  test("is known by an agent's header, a cache key or the conversation's beginning when the client names none", async () => {
    serve([aRoute(), aRoute(), aRoute(), aRoute()]);
    const headers = { "x-claude-code-session-id": "agent-1" };
    expect((await where(headers)).from).toBe("agent");
    expect((await where({ "x-session-id": "own", ...headers }, { sessionId: "own" })).from).toBe("header");
    expect((await where({ "session-id": "agent-2" })).pin).toBe("placed");
    expect((await where({}, { source: { prompt_cache_key: "k" } })).from).toBe("cache_key");
    expect((await where({}, {})).from).toBeUndefined();
    const opening = [{ role: "user", content: "How do I cook rice?" }];
    const first = await where({}, { source: { messages: opening } });
    expect(first).toMatchObject({ from: "conversation", pin: "first" });
    const turns = [...opening, { role: "assistant", content: "Wash it." }, { role: "user", content: "And then?" }];
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await where({}, { source: { messages: turns } })).toMatchObject({ route: first.route, pin: "kept" });
    }
  });

  test("keeps its own credential", async () => {
    serve([aRoute({ supplier: aSupplier({ credentials: credentials("a", "b", "c") }) })]);
    const used = new Set<string | undefined>();
    for (let turn = 0; turn < 12; turn += 1) {
      await callWith(anInferenceRequest({ sessionId: "cached" }));
      used.add(world.dispatched[0]!.credential?.name);
    }
    expect(used.size).toBe(1);
  });
});

test("questions without a session are spread by weight, also when they are all the same", async () => {
  const routes = [aRoute({ weight: 3 }), aRoute({ weight: 1 })];
  serve(routes);
  let first = 0;
  for (let turn = 0; turn < 2_000; turn += 1) {
    await callWith(anInferenceRequest({ source: { messages: [{ role: "user", content: "Hi" }] } }));
    if (names()[0] === routes[0]!.supplier.name) first += 1;
  }
  expect(first / 2_000).toBeGreaterThan(0.7);
  expect(first / 2_000).toBeLessThan(0.8);
});

test("the reasons name every candidate with what became of it, and every exclusion with its cause", async () => {
  const price = aPrice(1n, 2n);
  const routes = [
    aRoute({ priority: 1, price }),
    aRoute({ priority: 2, price }),
    aRoute({ supplier: aSupplier({ region: "us" }) }),
    aRoute({ supplier: aSupplier({ draining: true }) }),
    aRoute({ supplier: aSupplier({ kind: "aggregator" }) }),
    aRoute({ price: null }),
  ];
  serve(routes);
  world.faults = ["500"];
  const { plan, attempts } = await callWith(anInferenceRequest({ region: "eu", sessionId: "s" }));
  const record = describeRouting(plan!.trace, attempts.tried, () => 0n);
  expect(record).toMatchObject({
    session: { from: "body", pin: "placed" },
    lanes: [
      { supplier: routes[0]!.supplier.name, region: "eu", inputPerMtok: "1", outputPerMtok: "2", outcome: "500" },
      { supplier: routes[1]!.supplier.name, priority: 2, health: 1, outcome: "delivered", credential: "main" },
    ],
    excluded: [{ why: "region" }, { why: "draining" }, { why: "protocol" }, { why: "price" }],
  });
  expect(record.auto).toBeUndefined();
  expect(JSON.parse(JSON.stringify(record))).toEqual(record);
});
