import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { freshDatabase } from "../../support/database";
import { type RoutingGateway, startRoutingGateway } from "../../support/routing-gateway";

let gateway: RoutingGateway;
beforeAll(async () => {
  gateway = await startRoutingGateway();
});
afterAll(() => gateway.close());
beforeEach(() => gateway.quiet());

const many = <Value>(count: number, make: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

describe("a session stays on its supplier", () => {
  const WAYS: [string, object, Record<string, string>][] = [
    ["the header", {}, { "x-session-id": "by-header" }],
    ["metadata.session_id", { metadata: { session_id: "by-body" } }, {}],
    ["metadata.sticky_key", { metadata: { sticky_key: "by-key" } }, {}],
    ["an agent's own header", {}, { session_id: "by-agent" }],
    ["a cache key", { prompt_cache_key: "by-cache" }, {}],
  ];

  test.each(WAYS)("named by %s", async (_way, body, headers) => {
    const suppliers = new Set<string | null>();
    for (let turn = 0; turn < 15; turn += 1) suppliers.add(await gateway.supplierOf(body, headers));
    expect(suppliers.size).toBe(1);
  });

  test("the header wins over session_id, and session_id over sticky_key", async () => {
    const at = (headers: Record<string, string>, metadata?: object) => gateway.supplierOf({ metadata }, headers);
    const places = await many(12, async (index) => [index, await at({ "x-session-id": `s${index}` })] as const);
    const [one, two] = ["first", "second"].map((name) => `s${places.find(([, supplier]) => supplier === name)![0]}`);
    expect(await at({ "x-session-id": one! }, { session_id: two, sticky_key: two })).toBe("first");
    expect(await at({}, { session_id: two, sticky_key: one })).toBe("second");
    expect(await at({}, { sticky_key: one })).toBe("first");
  });

  test("and none of its names reaches the supplier", async () => {
    await gateway.supplierOf({ metadata: { session_id: "private-1", team: "blue" } }, { "x-session-id": "private-2" });
    const seen = [...(await gateway.first.seen()).requests, ...(await gateway.second.seen()).requests];
    expect(JSON.stringify(seen)).not.toMatch(/private-[12]/);
    expect(seen[0]!.body).toContain("blue");
  });
});

test("sessions are spread by weight, and so are questions without one", async () => {
  const share = async (headersOf: (index: number) => Record<string, string>) => {
    const suppliers = await many(200, (index) => gateway.supplierOf({ model: "weighted" }, headersOf(index)));
    return suppliers.filter((supplier) => supplier === "first").length / 200;
  };
  for (const first of [await share((index) => ({ "x-session-id": `spread-${index}` })), await share(() => ({}))]) {
    expect(first).toBeGreaterThan(0.62);
    expect(first).toBeLessThan(0.88);
  }
});

test("when its supplier dies a session moves, says so once, and stays where it went", async () => {
  const headers = { "x-session-id": "mover" };
  const before = await gateway.supplierOf({}, headers);
  const dead = before === "first" ? gateway.first : gateway.second;
  await dead.plan({ faults: { "500": 1 } });
  const moved = await gateway.chat({}, { headers });
  const after = moved.headers.get("x-gw-supplier");
  expect([moved.status, moved.headers.get("x-gw-failover"), after === before]).toEqual([200, "true", false]);
  await dead.plan({});
  for (let turn = 0; turn < 5; turn += 1) {
    const next = await gateway.chat({}, { headers });
    expect([next.headers.get("x-gw-supplier"), next.headers.get("x-gw-failover")]).toEqual([after, "false"]);
  }
});

test.skipIf(inject("testDatabases").kind !== "postgres")("two processes place a session alike", async () => {
  const database = await freshDatabase();
  const { adminKey, first, second } = gateway;
  const [one, other] = [
    await startRoutingGateway({ database, adminKey }, { first, second }),
    await startRoutingGateway({ database, adminKey }, { first, second }),
  ];
  for (let index = 0; index < 40; index += 1) {
    const headers = { "x-session-id": `shared-${index}` };
    const init = { key: one.key, headers };
    const [here, there] = await Promise.all([one.chat({}, init), other.chat({}, init)]);
    expect(here.headers.get("x-gw-supplier")).toBe(there.headers.get("x-gw-supplier"));
  }
  await one.close();
  await other.close();
  await database.close();
});
