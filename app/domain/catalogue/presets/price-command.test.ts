import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitForUpdate } from "@pydantic/genai-prices";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PRESETS } from "./presets";
import { listedModel } from "./price-catalogue";
import { comparePrices, dropPrices, takePrices } from "./price-command";
import { applyPriceFile, applyPriceList, priceSnapshot, RELEASED_PRICES } from "./price-list";

type Model = { id: string; prices: unknown };
type Providers = { id: string; models: Model[] }[];

const released = JSON.stringify(await waitForUpdate());
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gw-prices-"));
});
afterEach(async () => {
  await applyPriceList(null);
  await rm(folder, { recursive: true, force: true });
});

const settings = () => ({
  catalogueFile: { path: join(folder, "gw.config.yaml"), required: false },
  priceFile: join(folder, "data", "prices.json"),
  providerKeys: [],
});
const openai = (providers: Providers) => providers.find(({ id }) => id === "openai")!.models;
const inputOf = (name: string) => listedModel(PRESETS.openai, name, new Date())?.price.input_per_mtok;

/**
 * The released list with one changed price, one removed and one new model, in the format of the package's repository.
 */
async function newerList(): Promise<string> {
  const providers = JSON.parse(released) as Providers;
  const models = openai(providers);
  models.find(({ id }) => id === "gpt-4o-mini")!.prices = { input_mtok: 0.075, output_mtok: 0.3 };
  models.splice(
    models.findIndex(({ id }) => id === "gpt-4.1-nano"),
    1,
  );
  models.push({ id: "gpt-9", prices: { input_mtok: 1.5, output_mtok: 6 }, ...{ match: { equals: "gpt-9" } } });
  const path = join(folder, "data.json");
  await writeFile(path, JSON.stringify(providers));
  return path;
}

test("what a newer list changes is told price by price, and nothing changes before it is taken", async () => {
  await writeFile(
    settings().catalogueFile.path,
    "suppliers:\n  - { preset: openai, api_key: k, models: [gpt-4o-mini, gpt-4.1-nano, gpt-4o, gpt-9] }",
  );
  const { list, lines } = await comparePrices(settings(), await newerList());
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`^${RELEASED_PRICES.version} of ${RELEASED_PRICES.date} → data.json of \\d{4}-`)),
    expect.stringMatching(/^~ openai gpt-4\.1-nano: .*price none → none: it is refused/),
    expect.stringMatching(
      /^~ openai gpt-4o-mini: input_per_mtok \$0\.15 → \$0\.075, output_per_mtok \$0\.60 → \$0\.30/,
    ),
    expect.stringMatching(/^~ openai gpt-9: price none: it is refused → none, input_per_mtok none → \$1\.50/),
    "1 price stays as before.",
  ]);
  expect(existsSync(settings().priceFile)).toBe(false);
  await applyPriceList(null);
  expect(inputOf("gpt-4o-mini")).toBe(150_000_000n);

  await takePrices(settings(), list);
  await applyPriceFile(settings().priceFile);
  expect([inputOf("gpt-4o-mini"), inputOf("gpt-9"), inputOf("gpt-4.1-nano")]).toEqual([
    75_000_000n,
    1_500_000_000n,
    undefined,
  ]);
  expect(priceSnapshot()).toEqual({ version: "data.json", date: list.date });

  await dropPrices(settings());
  await dropPrices(settings());
  await applyPriceFile(settings().priceFile);
  expect(inputOf("gpt-4o-mini")).toBe(150_000_000n);
  expect(priceSnapshot()).toBe(RELEASED_PRICES);
});

test("without suppliers of one's own every provider is compared, by a folder of the package", async () => {
  const { lines } = await comparePrices(settings(), "node_modules/@pydantic/genai-prices");
  expect(lines).toEqual([
    expect.stringContaining(`→ ${RELEASED_PRICES.version} of `),
    expect.stringMatching(/^\d{3,} prices stay as before\.$/),
  ]);
});

test("what is no list of prices is refused by name, and the list of before stays", async () => {
  const path = join(folder, "data.json");
  await writeFile(
    path,
    JSON.stringify([{ id: "openai", models: [{ id: "m", match: {}, prices: { input_mtok: -1 } }] }]),
  );
  await expect(comparePrices(settings(), path)).rejects.toThrow(/^providers\.0\.models\.0\.prices\.input_mtok: /);
  await mkdir(join(folder, "other"));
  await writeFile(join(folder, "other", "package.json"), '{"name":"other","version":"1.0.0"}');
  await expect(comparePrices(settings(), join(folder, "other"))).rejects.toThrow(/other, not @pydantic/);
  await mkdir(join(folder, "data"));
  await writeFile(settings().priceFile, '{"version":"1","date":"2026-12-01","providers":[');
  await expect(applyPriceFile(settings().priceFile)).rejects.toThrow(
    /^GW_PRICES: .*prices\.json is no list of prices: /,
  );
  await writeFile(
    settings().priceFile,
    JSON.stringify({
      version: "1",
      date: "2026-12-01",
      providers: [
        { id: "openai", models: [{ id: "m", match: {}, prices: [{ constraint: {}, prices: { input_mtok: 1 } }] }] },
      ],
    }),
  );
  await expect(applyPriceFile(settings().priceFile)).rejects.toThrow(
    /^GW_PRICES: .*constraint for provider 'openai' model 'm'/,
  );
  expect(inputOf("gpt-4o-mini")).toBe(150_000_000n);
  expect(priceSnapshot()).toBe(RELEASED_PRICES);
});

test("a version of gw with a newer list uses its own", async () => {
  const { list } = await comparePrices(settings(), await newerList());
  await takePrices(settings(), { ...list, date: "2026-01-31" });
  await applyPriceList(null);
  await applyPriceFile(settings().priceFile);
  expect(priceSnapshot()).toBe(RELEASED_PRICES);
  expect(inputOf("gpt-4o-mini")).toBe(150_000_000n);
  expect(JSON.parse(await readFile(settings().priceFile, "utf8")).date).toBe("2026-01-31");
});
