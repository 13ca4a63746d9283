import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { csvLine } from "~/values/csv";
import { codeOf } from "../../../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../../../tests/support/database";
import { createSupplier } from "../administer/administer-suppliers";
import { importModels } from "../import-models";
import { readCatalogue } from "../load-catalogue";
import { applyPrices, exportPrices, previewPrices } from "./apply";

const BY = { userId: null, label: "test" };
let database: TestDatabase;
beforeEach(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-of-the-test-of-at-least-32-characters" }));
  database = await openFreshDatabase();
  await served("far", ["one", "two", "@three"]);
});
afterEach(() => database.close());

async function served(name: string, models: string[]): Promise<number> {
  const supplier = { name, kind: "chat" as const, baseUrl: "https://api.example.com/v1", region: "eu", apiKey: null };
  const supplierId = await createSupplier(db(), BY, supplier);
  const long_context = [{ above_input_tokens: 1_000, input_per_mtok: 4_000_000_000n, output_per_mtok: 9_000_000_000n }];
  const fields = { capability: "chat" as const, contextTokens: 1_000, maxOutputTokens: 100 };
  const price = {
    input_per_mtok: 2_000_000_000n,
    output_per_mtok: 8_000_000_000n,
    per_tool_use: 10_000_000n,
    long_context,
  };
  await importModels(db(), BY, { supplierId, models: models.map((id) => ({ id, ...fields, price })), leftOut: 0 });
  return supplierId;
}

const file = (text: string, from: Date | null = null) => ({ text, from });
const csv = (...lines: string[]) => ["supplier,model,input_per_mtok,output_per_mtok,per_tool_use", ...lines].join("\n");
const plan = async (text: string, from: Date | null = null) => {
  const { plan: planned, problem } = await previewPrices(db(), file(text, from));
  if (planned === null) throw new Error(JSON.stringify(problem));
  return planned;
};
const prices = () => db().price.count();
const records = () => db().act.findMany({ where: { action: "price.import" }, orderBy: { id: "asc" } });
const inputOf = async (model: string) => (await readCatalogue(db())).routes.get(model)?.[0]?.price?.inputPerMtok;
const problemsOf = ({ problems }: Awaited<ReturnType<typeof plan>>) =>
  problems.map(({ line, problem }) => `${line} ${problem.code}`);

test("what is exported today changes nothing when it is read in again, whatever a price is made of", async () => {
  const { columns, lines } = await exportPrices(db());
  const text = [columns, ...lines].map((line) => csvLine(line)).join("");
  expect(await plan(text)).toMatchObject({ changes: [], problems: [], unchanged: lines.length });
  const entries = lines.map((line) =>
    Object.fromEntries(
      columns.map((name, at) => [name, name === "long_context" ? JSON.parse(line[at] ?? "null") : line[at]]),
    ),
  );
  expect(await plan(JSON.stringify({ prices: entries }))).toMatchObject({ changes: [], unchanged: lines.length });
  expect(await applyPrices(db(), BY, file(text), "0".repeat(64))).toEqual({ changed: 0 });
});

test("a preview says what changes and by how much, and applying sets all of it in one record", async () => {
  const text = csv("far,one,3,8,0.01", "far,two,2,4,0.01");
  const before = await prices();
  const planned = await plan(text);
  expect(planned.changes.map(({ model, amounts }) => [model, amounts])).toEqual([
    [
      "one",
      [
        { column: "input_per_mtok", from: "2.00", to: "3.00", share: 0.5 },
        expect.objectContaining({ column: "long_context", to: null }),
      ],
    ],
    [
      "two",
      [
        { column: "output_per_mtok", from: "8.00", to: "4.00", share: -0.5 },
        expect.objectContaining({ column: "long_context", to: null }),
      ],
    ],
  ]);
  expect(await prices()).toBe(before);
  expect(await applyPrices(db(), BY, file(text), planned.fingerprint)).toEqual({ changed: 2 });
  expect([await prices(), await inputOf("one")]).toEqual([before + 2, 3_000_000_000n]);
  const [record, ...others] = await records();
  expect(others).toEqual([]);
  expect(record?.after).toMatchObject({
    changed: 2,
    prices: [expect.stringContaining("input_per_mtok 2.00 → 3.00"), expect.any(String)],
  });
});

test("applied again, one after the other and eight times at once, it is applied once", async () => {
  const text = csv("far,one,3,8,0.01");
  const { fingerprint } = await plan(text);
  const before = await prices();
  const results = await Promise.all(Array.from({ length: 8 }, () => applyPrices(db(), BY, file(text), fingerprint)));
  expect(results.map(({ changed }) => changed).toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
  expect(await applyPrices(db(), BY, file(text), fingerprint)).toEqual({ changed: 0 });
  expect([await prices(), (await records()).length]).toEqual([before + 1, 1]);
});

test("neither another file, another moment nor prices that have changed since are applied under the fingerprint of a preview", async () => {
  const text = csv("far,one,3,8,0.01");
  const { fingerprint } = await plan(text);
  const before = await prices();
  const from = new Date(Date.now() + 3_600_000);
  expect(await codeOf(applyPrices(db(), BY, file(csv("far,one,9,8,0.01")), fingerprint))).toBe("conflict");
  expect(await codeOf(applyPrices(db(), BY, file(csv("far,one,3,8,0.01", "far,two,9,9,")), fingerprint))).toBe(
    "conflict",
  );
  expect(await codeOf(applyPrices(db(), BY, file(text, from), fingerprint))).toBe("conflict");
  expect(await prices()).toBe(before);
  const other = csv("far,one,5,8,0.01");
  await applyPrices(db(), BY, file(other), (await plan(other)).fingerprint);
  expect(await codeOf(applyPrices(db(), BY, file(text), fingerprint))).toBe("conflict");
  expect(await inputOf("one")).toBe(5_000_000_000n);
});

test("for later, it is compared with what holds then, waits, and is applied once", async () => {
  const from = new Date(Date.now() + 3_600_000);
  const text = csv("far,one,3,8,0.01");
  const { fingerprint } = await plan(text, from);
  expect(await applyPrices(db(), BY, file(text, from), fingerprint)).toEqual({ changed: 1 });
  expect(await applyPrices(db(), BY, file(text, from), fingerprint)).toEqual({ changed: 0 });
  expect(await inputOf("one")).toBe(2_000_000_000n);
  const now = await plan(csv("far,one,4,8,0.01"));
  expect(now.changes[0]?.next?.getTime()).toBe(from.getTime());
  expect(await codeOf(previewPrices(db(), file(text, new Date("2020-01-01"))))).toBe("invalid_request");
  expect(await codeOf(applyPrices(db(), BY, file(text, new Date("2020-01-01")), fingerprint))).toBe("invalid_request");
});

test("one line with a problem keeps all others from being set", async () => {
  await db().supplier.create({ data: { name: "filed", kind: "chat", region: "eu", source: "config" } });
  await db().model.create({
    data: { id: "embed", ownedBy: "x", capability: "embedding", contextTokens: 1, maxOutputTokens: 1 },
  });
  const { id: filed } = await db().supplier.findUniqueOrThrow({ where: { name: "filed" } });
  const { id: far } = await db().supplier.findUniqueOrThrow({ where: { name: "far" } });
  await db().modelRoute.create({ data: { modelId: "one", supplierId: filed, upstreamModel: "one" } });
  await db().modelRoute.create({ data: { modelId: "embed", supplierId: far, upstreamModel: "embed" } });
  const before = await prices();
  const text = csv(
    "far,one,3,8,0.01",
    "far,one,4,8,0.01",
    "far,gone,1,1,",
    "filed,one,1,1,",
    "far,two,,,",
    "far,@three,1,,",
    "far,embed,1,,",
    "far,embed,x,,",
  );
  const planned = await plan(text);
  expect(problemsOf(planned)).toEqual(["3 twice", "4 unknown", "5 ofFile", "6 empty", "7 missing", "9 amount"]);
  expect(await codeOf(applyPrices(db(), BY, file(text), planned.fingerprint))).toBe("conflict");
  // A line for a supplier of the configuration is accepted if it changes nothing.
  expect(await plan(csv("filed,one,,,", "far,embed,1,,"))).toMatchObject({ problems: [], unchanged: 1 });
  expect([await prices(), (await records()).length]).toEqual([before, 0]);
});

test("two thousand prices are set at once", async () => {
  const models = Array.from({ length: 2_000 }, (_, at) => `many-${at}`);
  await served("many", models);
  const text = csv(...models.map((model) => `many,${model},7,7,`));
  const { fingerprint } = await plan(text);
  expect(await applyPrices(db(), BY, file(text), fingerprint)).toEqual({ changed: 2_000 });
  expect(await records()).toHaveLength(1);
});
