import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import { catalogue, loadCatalogue } from "./current-catalogue";
import { msToNextPrice } from "./store";

let database: TestDatabase;
beforeEach(async () => {
  setConfig(readConfig({}));
  database = await openFreshDatabase();
});
afterEach(() => database.close());

const inputPrice = () => catalogue().routes.get("m")?.[0]?.price?.inputPerMtok;

test("a scheduled price holds from its moment on, although nothing tells the process", async () => {
  const supplier = await db().supplier.create({ data: { name: "s", kind: "chat", region: "eu", source: "portal" } });
  const limits = { contextTokens: 9, maxOutputTokens: 9 };
  await db().model.create({ data: { id: "m", ownedBy: "s", capability: "chat", source: "portal", ...limits } });
  const route = await db().modelRoute.create({ data: { modelId: "m", supplierId: supplier.id, upstreamModel: "m" } });
  const price = (inputPerMtok: bigint, inSeconds: number) => db().$executeRaw`
    INSERT INTO price (route_id, input_per_mtok, output_per_mtok, valid_from)
    VALUES (${route.id}, ${inputPerMtok}, 0, now() + ${inSeconds} * interval '1 second')`;
  await price(1n, -60);
  await loadCatalogue();
  expect([inputPrice(), await msToNextPrice(db())]).toEqual([1n, null]);

  await price(2n, 1);
  await price(3n, 2);
  await loadCatalogue();
  await expect.poll(inputPrice, { timeout: 20_000 }).toBe(3n);
  await expect.poll(() => msToNextPrice(db())).toBeNull();
});

test.each([
  { source: "portal", allowed: "false", publicOnly: true },
  { source: "portal", allowed: "true", publicOnly: false },
  { source: "config", allowed: "false", publicOnly: false },
])(
  "a supplier of the $source is held to public addresses: $publicOnly, where private ones are allowed: $allowed",
  async (each) => {
    setConfig(readConfig({ GW_ALLOW_PRIVATE_UPSTREAMS: each.allowed }));
    const supplier = { name: "s", kind: "chat", region: "eu", source: each.source, baseUrl: "https://s.example/v1" };
    const { id: supplierId } = await db().supplier.create({ data: supplier });
    const limits = { contextTokens: 9, maxOutputTokens: 9 };
    await db().model.create({ data: { id: "m", ownedBy: "s", capability: "chat", source: each.source, ...limits } });
    await db().modelRoute.create({ data: { modelId: "m", supplierId, upstreamModel: "m" } });
    await loadCatalogue();
    expect(catalogue().routes.get("m")?.[0]?.supplier.publicOnly).toBe(each.publicOnly);
  },
);

test("a price that begins in more than 24 days, the longest that a timer can wait, is waited for in steps", async () => {
  const supplier = await db().supplier.create({ data: { name: "s", kind: "chat", region: "eu", source: "portal" } });
  const limits = { contextTokens: 9, maxOutputTokens: 9 };
  await db().model.create({ data: { id: "m", ownedBy: "s", capability: "chat", source: "portal", ...limits } });
  const route = await db().modelRoute.create({ data: { modelId: "m", supplierId: supplier.id, upstreamModel: "m" } });
  await db().$executeRaw`
    INSERT INTO price (route_id, input_per_mtok, output_per_mtok, valid_from) VALUES (${route.id}, 1, 0, now() + interval '60 days')`;
  const timers = vi.spyOn(globalThis, "setTimeout");
  try {
    await loadCatalogue();
    const waits = timers.mock.calls.map(([, ms]) => ms ?? 0);
    expect(waits).toContain(3_600_000);
    expect(Math.max(...waits)).toBeLessThan(2 ** 31);
  } finally {
    timers.mockRestore();
  }
});
