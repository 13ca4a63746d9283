import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitForUpdate } from "@pydantic/genai-prices";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import { catalogue, catalogueOf, startCatalogue } from "./current-catalogue";
import { catalogueFileOf } from "./index.server";
import { reloadCatalogue, watchCatalogue } from "./reload";

let database: TestDatabase;
let folder: string;
let path: string;
beforeEach(async () => {
  database = await openFreshDatabase();
  folder = await mkdtemp(join(tmpdir(), "gw-reload-"));
  setConfig(readConfig({ DATA_DIR: folder, GW_SECRET: "a-secret-of-the-tests-0123456789abcdef" }));
  path = join(folder, "gw.config.yaml");
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const settings = () => ({
  catalogueFile: { path, required: true },
  providerKeys: [],
  priceFile: join(folder, "prices.json"),
});
const fileWith = (...ids: string[]) =>
  writeFile(
    path,
    JSON.stringify({
      suppliers: [{ name: "s", kind: "chat", base_url: "https://a.test" }],
      models: ids.map((id) => ({ id, context_tokens: 10, max_output_tokens: 10, routes: [{ supplier: "s" }] })),
    }),
  );
const served = () => [...catalogue().models.keys()];

test("a changed file is applied as a whole; one with a mistake, or one that is gone, changes nothing", async () => {
  await fileWith("one");
  const started = catalogueFileOf(settings());
  await startCatalogue(started);
  const unwatch = watchCatalogue(settings(), started);
  try {
    expect(await reloadCatalogue(settings())).toBe(0);
    await fileWith("one", "two");
    expect(await reloadCatalogue(settings())).toBeGreaterThan(0);
    expect(served()).toEqual(["one", "two"]);
    await writeFile(path, "suppliers: []\nmodels:\n  - idd: three");
    await expect(reloadCatalogue(settings())).rejects.toThrow(/line 3: models\[0\].id is required/);
    expect(served()).toEqual(["one", "two"]);
    await rm(path);
    expect(await reloadCatalogue(settings())).toBe(0);
    expect(served()).toEqual(["one", "two"]);
    await fileWith("two");
    process.emit("SIGHUP");
    await expect.poll(served, { timeout: 20_000 }).toEqual(["two"]);
  } finally {
    await unwatch();
  }
});

test("a price list that an operator takes over is served by a running process; a broken one changes nothing", async () => {
  await writeFile(path, "suppliers: [{ preset: openai, api_key: k, models: [gpt-4o-mini] }]");
  const inputPrice = () => catalogue().routes.get("gpt-4o-mini")?.[0]?.price?.inputPerMtok;
  const started = await catalogueOf(settings());
  await startCatalogue(started);
  const unwatch = watchCatalogue(settings(), started);
  try {
    expect(inputPrice()).toBe(150_000_000n);
    const providers = structuredClone(await waitForUpdate())!;
    const model = providers.find(({ id }) => id === "openai")!.models.find(({ id }) => id === "gpt-4o-mini")!;
    model.prices = { input_mtok: 0.2, output_mtok: 0.6 };
    const list = { version: "9.9.9", date: "2026-11-23", providers };
    await writeFile(settings().priceFile, JSON.stringify(list));
    expect(await reloadCatalogue(settings())).toBeGreaterThan(0);
    expect(inputPrice()).toBe(200_000_000n);
    await writeFile(settings().priceFile, "{");
    await expect(reloadCatalogue(settings())).rejects.toThrow(/GW_PRICES/);
    expect(inputPrice()).toBe(200_000_000n);
    await rm(settings().priceFile);
    expect(await reloadCatalogue(settings())).toBeGreaterThan(0);
    expect(inputPrice()).toBe(150_000_000n);
  } finally {
    await unwatch();
  }
});
