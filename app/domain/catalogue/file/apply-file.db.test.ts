import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { openFreshDatabase, type TestDatabase } from "../../../../tests/support/database";
import { readCatalogue } from "../load-catalogue";
import { profileOf } from "../profiles";
import { sandboxCatalogue } from "../sandbox-catalogue";
import { resealExtras } from "../sealed-extras";
import { applyConfigFile } from "./apply-file";
import { readCatalogueFile } from "./read-file";

let database: TestDatabase;
beforeEach(async () => {
  setConfig(readConfig({}));
  database = await openFreshDatabase();
});
afterEach(() => database.close());

function aFile(more: { output?: string; region?: string; second?: boolean } = {}) {
  const route = (supplier: string, priority: number) => ({
    supplier,
    upstream_model: "gpt-x",
    priority,
    price: { input_per_mtok: "0.50", output_per_mtok: more.output ?? "1.50" },
  });
  const supplier = { kind: "chat", base_url: "https://api.example.com/v1", region: more.region ?? "eu" };
  const text = JSON.stringify({
    suppliers: [{ name: "primary", ...supplier }, ...(more.second === false ? [] : [{ name: "second", ...supplier }])],
    models: [
      {
        id: "fast",
        context_tokens: 1000,
        max_output_tokens: 100,
        routes: [...(more.second === false ? [] : [route("second", 2)]), route("primary", 1)],
      },
    ],
  });
  return readCatalogueFile({ name: "f", text, variable: () => undefined });
}

const read = () => readCatalogue(db());
const lanesOf = async (model: string) => ((await read()).routes.get(model) ?? []).map((route) => route.supplier.name);

describe("applying a file", () => {
  test("writes it, best route first, and a second time changes nothing", async () => {
    expect((await applyConfigFile(db(), aFile())).changes).toBeGreaterThan(0);
    expect(await lanesOf("fast")).toEqual(["primary", "second"]);
    expect((await applyConfigFile(db(), aFile())).changes).toBe(0);
    expect(await db().price.count()).toBe(2);
  });

  test("what is said of a supplier's retention and of a model's end is kept, and gone once it is no longer said", async () => {
    const fileWith = (supplier: object, model: object) => {
      const price = { input_per_mtok: "3", output_per_mtok: "15" };
      const one = { id: "m", context_tokens: 1000, max_output_tokens: 100, routes: [{ supplier: "s", price }] };
      const text = JSON.stringify({
        suppliers: [{ name: "s", kind: "chat", base_url: "https://a.test", ...supplier }],
        models: [{ ...one, ...model }],
      });
      return readCatalogueFile({ name: "f", text, variable: () => undefined });
    };
    const told = () => fileWith({ zero_data_retention: true }, { lifecycle: "deprecated", retires_at: "2027-03-31" });
    await applyConfigFile(db(), told());
    expect((await applyConfigFile(db(), told())).changes).toBe(0);
    const { models, routes } = await read();
    expect(models.get("m")).toMatchObject({ lifecycle: "deprecated", retiresAt: new Date("2027-03-31") });
    expect(routes.get("m")![0]!.supplier.zeroDataRetention).toBe(true);
    expect((await applyConfigFile(db(), fileWith({}, {}))).changes).toBe(2);
    const later = await read();
    expect(later.models.get("m")).toMatchObject({ lifecycle: undefined, retiresAt: undefined });
    expect(later.routes.get("m")![0]!.supplier.zeroDataRetention).toBeUndefined();
    for (const [supplier, model] of [
      [{ zero_data_retention: "perhaps" }, {}],
      [{}, { lifecycle: "old" }],
      [{}, { retires_at: "soon" }],
    ] as const)
      expect(() => fileWith(supplier, model)).toThrow(/must be/);
  });

  test("prices of long inputs are kept with the price, and a changed one is a price of its own", async () => {
    const fileWith = (input: string) => {
      const long = [
        { above_input_tokens: "200000", input_per_mtok: input, output_per_mtok: "22.5", cached_input_per_mtok: "0.6" },
      ];
      const price = { input_per_mtok: "3", output_per_mtok: "15", long_context: long };
      const model = { id: "m", context_tokens: 1000, max_output_tokens: 100, routes: [{ supplier: "s", price }] };
      const text = JSON.stringify({
        suppliers: [{ name: "s", kind: "chat", base_url: "https://a.test" }],
        models: [model],
      });
      return readCatalogueFile({ name: "f", text, variable: () => undefined });
    };
    await applyConfigFile(db(), fileWith("6"));
    expect((await applyConfigFile(db(), fileWith("6"))).changes).toBe(0);
    expect((await read()).routes.get("m")![0]!.price!.longContext).toEqual([
      {
        aboveInputTokens: 200_000,
        inputPerMtok: 6_000_000_000n,
        outputPerMtok: 22_500_000_000n,
        cachedInputPerMtok: 600_000_000n,
        cacheWritePerMtok: 6_000_000_000n,
        cacheWriteLongPerMtok: null,
      },
    ]);
    expect((await applyConfigFile(db(), fileWith("6.000000001"))).changes).toBe(1);
    expect((await read()).routes.get("m")![0]!.price!.longContext![0]!.inputPerMtok).toBe(6_000_000_001n);
  });

  test("prices of tiers are kept with the price: amounts, or a factor to all of the ordinary ones", async () => {
    const fileWith = (tiers: object) => {
      const long = [{ above_input_tokens: "200000", input_per_mtok: "6", output_per_mtok: "22.5" }];
      const price = { input_per_mtok: "3", output_per_mtok: "15", long_context: long, tiers };
      const model = { id: "m", context_tokens: 1000, max_output_tokens: 100, routes: [{ supplier: "s", price }] };
      const text = JSON.stringify({
        suppliers: [{ name: "s", kind: "chat", base_url: "https://a.test" }],
        models: [model],
      });
      return readCatalogueFile({ name: "f", text, variable: () => undefined });
    };
    const own = { input_per_mtok: "6", output_per_mtok: "30", audio_input_per_mtok: "9", asked_only: "true" };
    const file = fileWith({ flex: { factor: "0.333333333" }, priority: own });
    await applyConfigFile(db(), file);
    expect((await applyConfigFile(db(), file)).changes).toBe(0);
    const asInput = (inputPerMtok: bigint) => ({
      ...{ inputPerMtok, cachedInputPerMtok: inputPerMtok, cacheWritePerMtok: inputPerMtok },
      cacheWriteLongPerMtok: null,
    });
    expect((await read()).routes.get("m")![0]!.price!.tiers).toEqual({
      flex: {
        ...{ ...asInput(999_999_999n), outputPerMtok: 4_999_999_995n, askedOnly: false },
        longContext: [{ aboveInputTokens: 200_000, ...asInput(1_999_999_998n), outputPerMtok: 7_499_999_993n }],
      },
      priority: {
        ...asInput(6_000_000_000n),
        outputPerMtok: 30_000_000_000n,
        audioInputPerMtok: 9_000_000_000n,
        askedOnly: true,
      },
    });
    expect((await applyConfigFile(db(), fileWith({ priority: own }))).changes).toBe(1);
    expect(() => fileWith({ flex: { factor: "0.5", input_per_mtok: "1" } })).toThrow(
      /tiers.*cannot stand beside prices/s,
    );
    expect(() => fileWith({ flex: { input_per_mtok: "1" } })).toThrow(/must have a factor, or input_per_mtok/);
    expect(() => fileWith({ turbo: { factor: "2" } })).toThrow(/tiers/);
  });

  test("where chat requests state the most output is said by supplier, by model, and by the provider else", async () => {
    const supplier = (name: string, base_url: string, more: object = {}) => ({ name, kind: "chat", base_url, ...more });
    const sizes = { context_tokens: 9, max_output_tokens: 9 };
    const routes = [
      ...["openai-eu", "azure-eu", "own", "proxy"].map((name) => ({ supplier: name })),
      { supplier: "own", upstream_model: "older", output_field: "max_tokens" },
    ];
    const fileOf = (own: object) => {
      const suppliers = [
        supplier("openai-eu", "https://api.openai.com/v1"),
        supplier("azure-eu", "https://mine.openai.azure.com/openai/v1"),
        supplier("own", "https://llm.example/v1", own),
        supplier("proxy", "https://proxy.example/v1"),
        { preset: "groq", base_url: "https://elsewhere.example/v1", models: [] },
      ];
      const models = [
        { id: "m", ...sizes, routes },
        { id: "g", ...sizes, routes: [{ supplier: "groq" }] },
      ];
      return readCatalogueFile({ name: "f", text: JSON.stringify({ suppliers, models }), variable: () => undefined });
    };
    const fields = async (model: string) =>
      (await read()).routes
        .get(model)!
        .map((route) => [
          `${route.supplier.name}/${route.upstreamModel}`,
          route.outputField ?? route.supplier.outputField,
        ]);
    const newer = fileOf({ output_field: "max_completion_tokens" });
    await applyConfigFile(db(), newer);
    expect((await applyConfigFile(db(), newer)).changes).toBe(0);
    expect(Object.fromEntries(await fields("m"))).toEqual({
      "openai-eu/m": "max_completion_tokens",
      "azure-eu/m": "max_completion_tokens",
      "own/m": "max_completion_tokens",
      "own/older": "max_tokens",
      "proxy/m": undefined,
    });
    expect(await fields("g")).toEqual([["groq/g", "max_completion_tokens"]]);
    expect((await applyConfigFile(db(), fileOf({}))).changes).toBe(1);
    expect(Object.fromEntries(await fields("m"))["own/m"]).toBeUndefined();
    expect(() => fileOf({ output_field: "max_output" })).toThrow(/output_field.*must be one of max_tokens/s);
  });

  test("what a model is stands with the model or with one of its routes, and a name that is none is told the nearest", async () => {
    const fileOf = (own: string, profile?: string) => {
      const suppliers = ["a", "b"].map((name) => ({ name, kind: "chat", base_url: `https://${name}.example/v1` }));
      const routes = [{ supplier: "a" }, { supplier: "b", upstream_model: "blue", profile: own }];
      const models = [{ id: "m", context_tokens: 9, max_output_tokens: 9, routes, profile }];
      const aliases = { smart: "m" };
      return readCatalogueFile({
        name: "f",
        text: JSON.stringify({ suppliers, models, aliases }),
        variable: () => undefined,
      });
    };
    const profiles = async (model: string) => (await read()).routes.get(model)!.map((route) => profileOf(route).name);
    await applyConfigFile(db(), fileOf("openai/gpt-5.6", "xai/grok-4"));
    expect((await applyConfigFile(db(), fileOf("openai/gpt-5.6", "xai/grok-4"))).changes).toBe(0);
    expect(await profiles("m")).toEqual(["xai/grok-4", "openai/gpt-5.6"]);
    expect(await profiles("smart")).toEqual(["xai/grok-4", "openai/gpt-5.6"]);
    await applyConfigFile(db(), fileOf("openai/gpt-5.4"));
    expect(await profiles("m")).toEqual(["general", "openai/gpt-5.4"]);
    expect(() => fileOf("openai/gpt5.6")).toThrow(/profile.*is no profile; the nearest are openai\/gpt-5.6/s);
  });

  test("a supplier that may not be asked for the usage of streams is one from the next start on, and back", async () => {
    for (const stream_usage of [true, false, true]) {
      const supplier = { name: "primary", kind: "chat", base_url: "https://api.example.com/v1", stream_usage };
      const models = [{ id: "fast", context_tokens: 9, max_output_tokens: 9, routes: [{ supplier: "primary" }] }];
      const text = JSON.stringify({ suppliers: [supplier], models });
      const file = readCatalogueFile({ name: "f", text, variable: () => undefined });
      await applyConfigFile(db(), file);
      expect((await applyConfigFile(db(), file)).changes).toBe(0);
      expect((await read()).routes.get("fast")?.[0]?.supplier).toMatchObject({ streamUsage: stream_usage });
    }
  });

  test("a supplier takes batches at a share of its prices from the next start on, and no more", async () => {
    for (const [batch, read_] of [
      [
        { protocol: "openai", price: 0.5 },
        { protocol: "openai", priceMillionths: 500_000 },
      ],
      [
        { protocol: "openai", price: 0.25 },
        { protocol: "openai", priceMillionths: 250_000 },
      ],
      [false, undefined],
    ] as const) {
      const supplier = { name: "primary", kind: "chat", base_url: "https://api.example.com/v1", batch };
      const models = [{ id: "fast", context_tokens: 9, max_output_tokens: 9, routes: [{ supplier: "primary" }] }];
      const file = readCatalogueFile({
        name: "f",
        text: JSON.stringify({ suppliers: [supplier], models }),
        variable: () => undefined,
      });
      await applyConfigFile(db(), file);
      expect((await applyConfigFile(db(), file)).changes).toBe(0);
      expect((await read()).routes.get("fast")?.[0]?.supplier.batch).toEqual(read_);
    }
  });

  test("headers and parameters are sealed, the same ones once only, under the newest secret, and go with their supplier", async () => {
    const fileWith = (headers: object | null) => {
      const supplier = {
        name: "s",
        kind: "chat",
        base_url: "https://a.test",
        ...(headers === null ? {} : { headers }),
      };
      const models = [{ id: "m", context_tokens: 9, max_output_tokens: 9, routes: [{ supplier: "s" }] }];
      return readCatalogueFile({
        name: "f",
        text: JSON.stringify({ suppliers: [supplier], models }),
        variable: () => undefined,
      });
    };
    const extras = async () => (await read()).routes.get("m")?.[0]?.supplier.extras;
    const stored = async () => (await db().supplier.findUniqueOrThrow({ where: { name: "s" } })).sealedExtras;
    const [old, fresh] = ["an-old-secret-for-tests-0123456789abcdef", "a-new-secret-for-tests-0123456789abcdef!"];
    setConfig(readConfig({ GW_SECRET: old }));
    await applyConfigFile(db(), fileWith({ b: "2", a: "1" }));
    expect(await extras()).toEqual({ headers: { a: "1", b: "2" }, query: {}, keyHeader: null });
    expect((await applyConfigFile(db(), fileWith({ a: "1", b: "2" }))).changes).toBe(0);
    expect((await applyConfigFile(db(), fileWith({ a: "1" }))).changes).toBe(1);
    expect(await extras()).toMatchObject({ headers: { a: "1" } });

    const before = await stored();
    setConfig(readConfig({ GW_SECRET: `${fresh},${old}` }));
    await resealExtras(db());
    expect(await stored()).not.toBe(before);
    setConfig(readConfig({ GW_SECRET: fresh }));
    expect(await extras()).toMatchObject({ headers: { a: "1" } });

    // A supplier whose headers cannot be decrypted gets no calls without them.
    setConfig(readConfig({ GW_SECRET: old }));
    expect((await read()).routes.get("m")).toBeUndefined();
    setConfig(readConfig({ GW_SECRET: fresh }));

    expect((await applyConfigFile(db(), fileWith(null))).changes).toBe(1);
    expect(await extras()).toBeUndefined();
    await applyConfigFile(db(), fileWith({ a: "1" }));
    await applyConfigFile(db(), aFile());
    expect(await stored()).toBeNull();
  });

  test("what the autorouter may know of a model arrives as it was written, and only that", async () => {
    const model = { context_tokens: 1000, max_output_tokens: 100, routes: [] };
    const models = [
      { id: "said", tools: true, images: false, quality: 70, auto: false, ...model },
      { id: "unsaid", ...model },
    ];
    const text = JSON.stringify({ models });
    const file = readCatalogueFile({ name: "f", text, variable: () => undefined });
    await applyConfigFile(db(), file);
    expect((await applyConfigFile(db(), file)).changes).toBe(0);
    const { models: read } = await readCatalogue(db());
    expect(read.get("said")).toMatchObject({ tools: true, images: false, quality: 70, auto: false });
    expect(read.get("unsaid")).toMatchObject({ tools: undefined, images: undefined, quality: undefined, auto: true });
  });

  test("a changed price is a new row with a new version, and the cache costs what input costs", async () => {
    await applyConfigFile(db(), aFile());
    const before = (await read()).routes.get("fast")?.[0]?.price;
    await applyConfigFile(db(), aFile({ output: "1.500000001" }));
    const after = (await read()).routes.get("fast")?.[0]?.price;
    expect(after?.outputPerMtok).toBe(1_500_000_001n);
    expect(after?.cachedInputPerMtok).toBe(500_000_000n);
    expect(after?.version).toBeGreaterThan(before?.version ?? 0);
    expect(await db().price.count()).toBe(4);
  });

  test("what the file no longer names is put aside, and comes back with it", async () => {
    await applyConfigFile(db(), aFile());
    await applyConfigFile(db(), aFile({ second: false }));
    expect(await lanesOf("fast")).toEqual(["primary"]);
    await applyConfigFile(db(), aFile());
    expect(await lanesOf("fast")).toEqual(["primary", "second"]);
    expect(await db().price.count()).toBe(2);
  });

  test("suppliers of the portal stay, and one that is being drained goes on draining", async () => {
    await db().supplier.create({ data: { name: "ours", kind: "chat", region: "eu", source: "portal" } });
    await applyConfigFile(db(), aFile());
    await db().supplier.update({ where: { name: "primary" }, data: { status: "draining" } });
    await applyConfigFile(db(), aFile({ region: "us" }));
    expect(
      (await read()).routes.get("fast")?.map(({ supplier }) => [supplier.name, supplier.region, supplier.draining]),
    ).toEqual([
      ["primary", "us", true],
      ["second", "us", false],
    ]);
    expect(await db().supplier.count({ where: { name: "ours", status: "active" } })).toBe(1);
  });

  test("several processes at once do no harm", async () => {
    await Promise.all([1, 2, 3].map(() => applyConfigFile(db(), aFile())));
    expect(await db().price.count()).toBe(2);
  });
});

describe("without a file", () => {
  test("a new installation gets the sandbox, and keeps it", async () => {
    await applyConfigFile(db(), null);
    const { models, routes } = await read();
    expect([...models.keys()].toSorted()).toEqual(sandboxCatalogue.models.map(({ id }) => id).toSorted());
    for (const list of routes.values()) expect(list.map(({ supplier }) => supplier.kind)).toEqual(["sandbox"]);
    expect((await applyConfigFile(db(), null)).changes).toBe(0);
  });

  test("the sandbox stays beside suppliers of the portal, and when they are deleted", async () => {
    await applyConfigFile(db(), null);
    const { id } = await db().supplier.create({ data: { name: "ours", kind: "chat", region: "eu", source: "portal" } });
    expect((await applyConfigFile(db(), null)).changes).toBe(0);
    expect(await lanesOf("sandbox-chat")).toEqual(["sandbox"]);
    await db().supplier.update({ where: { id }, data: { status: "inactive" } });
    expect((await applyConfigFile(db(), null)).changes).toBe(0);
    expect(await lanesOf("sandbox-chat")).toEqual(["sandbox"]);
    expect((await applyConfigFile(db(), null)).withoutFile).toEqual([]);
  });

  test("the suppliers of a file that is gone are put aside, and no sandbox answers in their place", async () => {
    await applyConfigFile(db(), aFile());
    expect((await applyConfigFile(db(), null)).withoutFile.toSorted()).toEqual(["primary", "second"]);
    expect((await read()).routes.size).toBe(0);
    expect((await applyConfigFile(db(), null)).withoutFile).toEqual([]);
  });
});
