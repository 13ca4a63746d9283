import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import { createSupplier, deleteSupplier } from "./administer/administer-suppliers";
import { importModels } from "./import-models";
import { readCatalogue } from "./load-catalogue";

const BY = { userId: null, label: "test" };
let database: TestDatabase;
beforeEach(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-of-the-test-of-at-least-32-characters" }));
  database = await openFreshDatabase();
});
afterEach(() => database.close());

const aSupplier = (name = "far") =>
  createSupplier(db(), BY, { name, kind: "chat", baseUrl: "https://api.example.com/v1", region: "eu", apiKey: null });
const model = (id: string, input = 2_000_000_000n) => ({
  ...{ id, capability: "chat" as const, contextTokens: 1_000, maxOutputTokens: 100 },
  price: { input_per_mtok: input, output_per_mtok: 8_000_000_000n, audio_input_per_mtok: 40_000_000_000n },
});
const many = (count: number) => Array.from({ length: count }, (_, at) => model(`model-${at}`));
const imports = () => db().act.findMany({ where: { action: "supplier.import" }, orderBy: { id: "asc" } });

test("five hundred models are served at once, in one record, and a second time nothing changes", async () => {
  const supplierId = await aSupplier();
  const { added } = await importModels(db(), BY, { supplierId, models: many(500), leftOut: 7 });
  expect(added).toHaveLength(500);
  const { routes } = await readCatalogue(db());
  expect(routes.size).toBe(500);
  expect(routes.get("model-499")?.[0]?.price).toMatchObject({
    ...{ inputPerMtok: 2_000_000_000n, outputPerMtok: 8_000_000_000n, audioInputPerMtok: 40_000_000_000n },
  });
  const again = await importModels(db(), BY, { supplierId, models: many(500), leftOut: 7 });
  expect([again.added.length, again.known.length]).toEqual([0, 500]);
  expect([await db().price.count(), (await imports()).length]).toEqual([500, 1]);
  const [event] = await imports();
  expect(event?.after).toMatchObject({ added: 500, known: 0, left_out: 7 });
});

test("a price of one's own stays, and what is new beside it is added", async () => {
  const supplierId = await aSupplier();
  await importModels(db(), BY, { supplierId, models: [model("own", 1n)], leftOut: 0 });
  const result = await importModels(db(), BY, { supplierId, models: [model("own"), model("new")], leftOut: 0 });
  expect(result).toEqual({ added: ["new"], known: ["own"] });
  expect((await readCatalogue(db())).routes.get("own")?.[0]?.price?.inputPerMtok).toBe(1n);
});

test("eight imports at the same time add each model once", async () => {
  const supplierId = await aSupplier();
  const results = await Promise.all(
    Array.from({ length: 8 }, () => importModels(db(), BY, { supplierId, models: many(20), leftOut: 0 })),
  );
  expect(results.reduce((sum, { added }) => sum + added.length, 0)).toBe(20);
  expect(await db().price.count()).toBe(20);
});

test("all is written or nothing: a model that the database refuses takes the others with it", async () => {
  const supplierId = await aSupplier();
  const broken = { ...model("broken"), contextTokens: 2 ** 40 };
  await expect(importModels(db(), BY, { supplierId, models: [...many(3), broken], leftOut: 0 })).rejects.toThrow();
  expect([await db().price.count(), await db().modelRoute.count(), (await imports()).length]).toEqual([0, 0, 0]);
});

test("a model that was put aside comes back, and one of the configuration keeps what it is", async () => {
  await db().model.createMany({
    data: [
      { id: "gone", ownedBy: "x", capability: "speech", contextTokens: 1, maxOutputTokens: 1, active: false },
      { id: "filed", ownedBy: "x", capability: "chat", contextTokens: 7, maxOutputTokens: 7 },
    ],
  });
  const supplierId = await aSupplier();
  await importModels(db(), BY, { supplierId, models: [model("gone"), model("filed")], leftOut: 0 });
  const { models } = await readCatalogue(db());
  expect(models.get("gone")).toMatchObject({ capability: "chat", contextTokens: 1_000 });
  expect(models.get("filed")).toMatchObject({ contextTokens: 7, ownedBy: "x" });
  expect(await db().model.findUnique({ where: { id: "filed" }, select: { source: true } })).toEqual({
    source: "config",
  });
});

test("a supplier that was deleted, is unknown or of the configuration is refused", async () => {
  const supplierId = await aSupplier();
  await deleteSupplier(db(), BY, supplierId, "far");
  const attempt = (id: number) => importModels(db(), BY, { supplierId: id, models: many(1), leftOut: 0 });
  await expect(attempt(supplierId)).rejects.toMatchObject({ code: "not_found" });
  await expect(attempt(1_999_999_999)).rejects.toMatchObject({ code: "not_found" });
  const { id } = await db().supplier.create({ data: { name: "filed", kind: "chat", region: "eu", source: "config" } });
  await expect(attempt(id)).rejects.toMatchObject({ code: "conflict" });
  expect(await db().price.count()).toBe(0);
});
