import { describe, expect, test } from "vitest";
import { readCatalogueFile } from "../read-file";
import { decimal, perMillion } from "./amounts";
import { IMPORTS } from "./index";

const LITELLM = `
model_list:
  - model_name: gpt-4.1
    litellm_params:
      model: openai/gpt-4.1
      api_key: os.environ/OPENAI_API_KEY
      rpm: 60
  - model_name: gpt-4.1
    litellm_params:
      model: azure/my-deployment
      api_base: os.environ/AZURE_API_BASE
      api_key: os.environ/AZURE_API_KEY
      api_version: "2024-10-21"
      order: 2
    model_info: { input_cost_per_token: 0.0000025, output_cost_per_token: 1e-05 }
  - model_name: house-llama
    litellm_params:
      model: hosted_vllm/meta/llama
      api_base: http://10.0.0.5:8000/v1
      input_cost_per_token: 2.5e-7
      output_cost_per_token: 5e-7
    model_info: { max_input_tokens: 32000, max_output_tokens: 4000 }
  - model_name: "anthropic/*"
    litellm_params: { model: "anthropic/*", api_key: os.environ/ANTHROPIC_API_KEY }
  - model_name: nobody-knows
    litellm_params: { model: hosted_vllm/x, api_base: "http://10.0.0.5:8000/v1" }
  - model_name: claude-on-aws
    litellm_params: { model: bedrock/anthropic.claude-sonnet-4, aws_access_key_id: os.environ/AWS_ACCESS_KEY_ID }
  - model_name: film
    litellm_params: { model: openai/sora-2 }
    model_info: { mode: video_generation }
router_settings:
  routing_strategy: least-busy
  model_group_alias: { fast: gpt-4.1, lost: nothing }
litellm_settings: { fallbacks: [{ gpt-4.1: [house-llama] }] }
general_settings: { master_key: sk-1234 }
`;

const ENVIRONMENT: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: "sk-1",
  AZURE_API_KEY: "az-1",
  AZURE_API_BASE: "https://example.openai.azure.com",
  ANTHROPIC_API_KEY: "ant-1",
};
/** The result, as a start of gw reads it. */
const read = (text: string) =>
  readCatalogueFile({ text, name: "gw.config.yaml", variable: (name) => ENVIRONMENT[name] });

describe("LiteLLM", () => {
  const { yaml, notTaken, remarks } = IMPORTS.litellm(LITELLM).result();

  test("becomes a catalogue file that gw reads: suppliers by address and key, variables kept, no secret written", () => {
    const { suppliers, models } = read(yaml);
    expect(suppliers.map(({ name, kind, base_url }) => [name, kind, base_url])).toEqual([
      ["openai", "chat", "https://api.openai.com/v1"],
      ["azure", "chat", "https://example.openai.azure.com/openai/v1"],
      ["self-hosted", "chat", "http://10.0.0.5:8000/v1"],
      ["anthropic", "messages", "https://api.anthropic.com/v1"],
    ]);
    expect(yaml).toMatch(/api_key: \$\{OPENAI_API_KEY\}|api_key: "\$\{OPENAI_API_KEY\}"/);
    const gpt = models.find(({ id }) => id === "gpt-4.1")!;
    expect(gpt.routes.map(({ supplier, upstream_model, priority }) => [supplier, upstream_model, priority])).toEqual([
      ["openai", "gpt-4.1", 1],
      ["azure", "my-deployment", 2],
    ]);
    expect(gpt.routes[1]!.price).toMatchObject({ input_per_mtok: 2_500_000_000n, output_per_mtok: 10_000_000_000n });
    expect(models.some(({ id }) => id.startsWith("anthropic/claude-"))).toBe(true);
    expect(models.find(({ id }) => id === "fast")).toMatchObject({ routes: [{}, {}] });
  });

  test("prices and limits of its own servers are those of the file", () => {
    expect(read(yaml).models.find(({ id }) => id === "house-llama")).toMatchObject({
      context_tokens: 32_000,
      max_output_tokens: 4_000,
      routes: [
        { upstream_model: "meta/llama", price: { input_per_mtok: 250_000_000n, output_per_mtok: 500_000_000n } },
      ],
    });
  });

  test("what has no place in gw is named, each with its reason", () => {
    const about = (what: string) => notTaken.find((line) => line.includes(what));
    for (const what of ["nobody-knows", "claude-on-aws", "film", "gpt-4.1) rpm", "alias lost", "routing_strategy"])
      expect(about(what), what).toBeDefined();
    for (const what of ["general_settings", "litellm_settings.fallbacks"]) expect(about(what), what).toBeDefined();
    expect(about("film")).toContain("video_generation");
    expect(remarks).toEqual([]);
  });

  test("what is no such configuration is an error", () => {
    expect(() => IMPORTS.litellm("suppliers: []")).toThrow("The file has no model_list.");
    expect(() => IMPORTS.litellm("model_list: [")).toThrow();
  });
});

test("Bifrost: each key with its models, under the names that clients know", () => {
  const config = {
    providers: {
      openai: { keys: [{ value: "env.OPENAI_API_KEY", models: ["gpt-4.1", "gpt-4.1-mini"], weight: 0.5 }] },
      azure: {
        keys: [{ value: "env.AZURE_API_KEY", models: ["gpt-4.1"] }],
        meta_config: { endpoint: "env.AZURE_API_BASE", deployments: { "gpt-4.1": "house" } },
      },
      anthropic: { keys: [{ value: "ant-key", models: [] }] },
      vertex: { keys: [{ value: "x", models: ["gemini-2.5-pro"] }] },
      nobody: { keys: [{ value: "x", models: ["y"] }] },
    },
    plugins: [{ name: "mocker" }],
  };
  const { yaml, remarks, notTaken } = IMPORTS.bifrost(JSON.stringify(config)).result();
  const { models } = read(yaml);
  expect(models.find(({ id }) => id === "openai/gpt-4.1")).toMatchObject({
    routes: [
      { supplier: "openai", upstream_model: "gpt-4.1", weight: 50, price: { input_per_mtok: expect.anything() } },
    ],
  });
  expect(models.find(({ id }) => id === "azure/gpt-4.1")).toMatchObject({ routes: [{ upstream_model: "house" }] });
  expect(models.some(({ id }) => id.startsWith("anthropic/claude-"))).toBe(true);
  expect(remarks).toEqual([
    "azure/gpt-4.1: no price is known for it at azure; it is not served there until it has one",
  ]);
  expect(notTaken.map((line) => line.split(":")[0])).toEqual([
    "providers.vertex.keys[0]",
    "providers.nobody.keys[0] y",
    "plugins",
  ]);
});

test("new-api and one-api: channels with several keys, names and an order of their own", () => {
  const channel = { id: 1, type: 1, name: "main", status: 1, key: "sk-1\nsk-2", models: "gpt-4.1, fast", priority: 10 };
  const channels = [
    { ...channel, model_mapping: '{"fast":"gpt-4.1-mini"}' },
    {
      id: 2,
      type: 20,
      name: "spare",
      status: 1,
      key: "or-1",
      models: "gpt-4.1",
      model_mapping: '{"gpt-4.1":"openai/gpt-4.1"}',
    },
    { id: 3, type: 14, name: "off", status: 2, key: "a", models: "claude-sonnet-4-5" },
    { id: 4, type: 2, name: "pictures", status: 1, key: "a", models: "midjourney" },
  ];
  const { yaml, notTaken } = IMPORTS["new-api"](JSON.stringify({ data: { items: channels } })).result();
  const { models, suppliers } = read(yaml);
  expect(suppliers.map(({ name }) => name)).toEqual(["openai", "openai-2", "openrouter"]);
  expect(
    models.find(({ id }) => id === "gpt-4.1")!.routes.map(({ supplier, priority }) => [supplier, priority]),
  ).toEqual([
    ["openai", 1],
    ["openai-2", 1],
    ["openrouter", 11],
  ]);
  expect(models.find(({ id }) => id === "fast")!.routes[0]).toMatchObject({ upstream_model: "gpt-4.1-mini" });
  expect(notTaken).toEqual([
    "channel 3 (off): it is switched off",
    "channel 4 (pictures): gw does not know channels of the type 2",
  ]);
});

test.each([
  ["0.0000025", "2.5"],
  ["2.5e-06", "2.5"],
  ["1E-7", "0.1"],
  ["0", "0"],
  ["3", "3000000"],
  ["0.0000000000000001", "0.000000001"],
  ["free", null],
  ["-1", null],
  [null, null],
])("%s for one token is %s for a million, exactly, and rounded up below a nano-dollar", (written, price) =>
  expect(perMillion(written)).toBe(price),
);

test("a price a second is a plain decimal", () => expect(decimal("1e-4")).toBe("0.0001"));
