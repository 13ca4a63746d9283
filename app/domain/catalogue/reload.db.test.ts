import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import { catalogue, startCatalogue } from "./current-catalogue";
import { catalogueFileOf } from "./index.server";
import { reloadCatalogue, watchCatalogue } from "./reload";

let database: TestDatabase;
let folder: string;
let path: string;
beforeEach(async () => {
  database = await openFreshDatabase();
  folder = await mkdtemp(join(tmpdir(), "gw-reload-"));
  setConfig(readConfig({ DATA_DIR: folder }));
  path = join(folder, "gw.config.yaml");
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const settings = () => ({ catalogueFile: { path, required: true }, providerKeys: [] });
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
