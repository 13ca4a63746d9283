import { expect, test } from "vitest";
import { ConfigError } from "~/config/error";
import { readCatalogueFile } from "../file/read-file";

const AT = new Date("2026-11-23T12:00:00Z");
const read = (text: string) =>
  readCatalogueFile({
    name: "gw.config.yaml",
    text,
    at: AT,
    variable: (name) => (name === "KEY" ? "sk-1" : undefined),
  });
const mistakeIn = (text: string) => {
  try {
    read(text);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  return null;
};

test("one line makes a supplier with its models at their list prices", () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a catalogue file names variables so
  const { suppliers, models } = read('suppliers: [{ preset: openai, api_key: "${KEY}" }]');
  expect(suppliers).toMatchObject([
    { name: "openai", kind: "chat", base_url: "https://api.openai.com/v1", credentials: [{ apiKey: "sk-1" }] },
  ]);
  const model = models.find(({ id }) => id === "gpt-5.4")!;
  expect(model).toMatchObject({
    owned_by: "openai",
    capability: "chat",
    context_tokens: 1_050_000,
    max_output_tokens: 128_000,
  });
  expect(model.routes).toMatchObject([
    {
      supplier: "openai",
      upstream_model: "gpt-5.4",
      price: {
        input_per_mtok: 2_500_000_000n,
        output_per_mtok: 15_000_000_000n,
        cached_input_per_mtok: 250_000_000n,
        per_tool_use: 10_000_000n,
        long_context: [
          { above_input_tokens: 271_999, input_per_mtok: 5_000_000_000n, output_per_mtok: 22_500_000_000n },
        ],
      },
    },
  ]);
  expect(models.find(({ id }) => id === "text-embedding-3-small")?.capability).toBe("embedding");
  // Models that the chat completions API does not serve are not offered.
  for (const id of ["gpt-5-pro", "gpt-image-1", "whisper-1", "davinci", "gpt-4o-realtime-preview"])
    expect(
      models.some((each) => each.id === id),
      id,
    ).toBe(false);
});

test("a list of names restricts a preset, and one without a list price is a model without a price", () => {
  const { models } = read("suppliers: [{ preset: openai, models: [gpt-5*, gpt-5.4-2026-03-05, my-own] }]");
  expect(models.every(({ id }) => id.startsWith("gpt-5") || id === "my-own")).toBe(true);
  expect(models.find(({ id }) => id === "gpt-5.4-2026-03-05")!.routes[0]!.price!.input_per_mtok).toBe(2_500_000_000n);
  expect(models.find(({ id }) => id === "my-own")!.routes[0]!.price).toBeUndefined();
});

test("what the file says of a model wins over its preset; what it leaves out is as the price catalogue has it", () => {
  const { models } = read(`
suppliers: [{ preset: openai, models: [gpt-4.1, gpt-4o] }]
models:
  - { id: gpt-4.1, routes: [{ supplier: openai, price: { input_per_mtok: 9, output_per_mtok: 9 } }] }
  - { id: mine, context_tokens: 1000, routes: [{ supplier: openai, upstream_model: gpt-4o }] }`);
  expect(models.map(({ id }) => id)).toEqual(["gpt-4.1", "mine", "gpt-4o"]);
  expect(models[0]!.routes).toMatchObject([{ price: { input_per_mtok: 9_000_000_000n } }]);
  expect(models[0]!.max_output_tokens).toBe(32_768);
  expect(models[1]).toMatchObject({ context_tokens: 1_000, max_output_tokens: 16_384 });
  expect(models[1]!.routes[0]!.price!.input_per_mtok).toBe(2_500_000_000n);
});

test("several suppliers of one model are tried in the order of the file", () => {
  const { models } = read(`
suppliers:
  - { preset: azure, base_url: "https://x.openai.azure.com/openai/v1", models: [gpt-4.1] }
  - { preset: openai, models: [gpt-4.1] }`);
  expect(models.map(({ id, routes }) => [id, routes.map(({ supplier, priority }) => [supplier, priority])])).toEqual([
    [
      "gpt-4.1",
      [
        ["azure", 1],
        ["openai", 2],
      ],
    ],
  ]);
  expect(models[0]!.routes[0]!.price!.input_per_mtok).toBe(2_000_000_000n);
});

test("an id with a * stands for every model of its suppliers that fits, whatever else they serve", () => {
  const { models } = read(`
suppliers:
  - { preset: anthropic, models: [] }
  - { preset: openrouter, models: [] }
models:
  - id: "anthropic/*"
    quality: 80
    routes:
      - { supplier: anthropic, upstream_model: "claude-*-5" }
      - { supplier: openrouter, upstream_model: "anthropic/*", priority: 2 }`);
  expect(models.find(({ id }) => id === "anthropic/sonnet-4")).toMatchObject({
    owned_by: "anthropic",
    quality: 80,
    routes: [{ supplier: "anthropic", upstream_model: "claude-sonnet-4-5", priority: 1 }],
  });
  expect(models.find(({ id }) => id === "anthropic/claude-sonnet-4.5")!.routes).toMatchObject([
    { supplier: "openrouter", upstream_model: "anthropic/claude-sonnet-4.5", priority: 2 },
  ]);
  expect(models.every(({ id }) => id.startsWith("anthropic/"))).toBe(true);
});

test("an alias is a model of its own with the routes of another", () => {
  const { models } = read(
    'suppliers: [{ preset: anthropic, models: ["claude-haiku-4-5"] }]\naliases: { fast: claude-haiku-4-5 }',
  );
  const [haiku, fast] = models;
  expect(fast).toMatchObject({ ...haiku, id: "fast", auto: false });
  expect(fast!.routes[0]!.upstream_model).toBe("claude-haiku-4-5");
});

test("mistakes name their line", () => {
  expect(mistakeIn("suppliers: [{ preset: openai }]\naliases:\n  fast: none")).toBe(
    'gw.config.yaml line 3: aliases.fast names "none", which is no model',
  );
  expect(mistakeIn("suppliers:\n  - preset: nobody")).toMatch(
    /^gw.config.yaml line 2: suppliers\[0\].preset must be one of openai, /,
  );
  expect(mistakeIn("suppliers:\n  - preset: azure")).toMatch(
    /line 2: suppliers\[0\].base_url is required for this preset$/,
  );
  expect(mistakeIn("suppliers:\n  - { preset: openai, kind: chat }")).toBe(
    "gw.config.yaml line 2: unknown field kind in suppliers[0]",
  );
  expect(
    mistakeIn(
      'suppliers: [{ name: s, kind: chat, base_url: "https://a.test" }]\nmodels:\n  - id: "s/*"\n    routes: [{ supplier: s }]',
    ),
  ).toBe("gw.config.yaml line 4: models[0].routes[0].supplier must be a preset where the model's id has a *");
});
