import { describe, expect, test } from "vitest";
import { readCatalogueFile } from "~/domain/catalogue/file/read-file";
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
    model_info: { max_input_tokens: 32000, max_output_tokens: 4000, deprecation_date: "2027-03-31" }
  - model_name: "anthropic/*"
    litellm_params: { model: "anthropic/*", api_key: os.environ/ANTHROPIC_API_KEY }
  - model_name: nobody-knows
    litellm_params: { model: hosted_vllm/x, api_base: "http://10.0.0.5:8000/v1" }
  - model_name: claude-on-aws
    litellm_params: { model: bedrock/anthropic.claude-sonnet-4, aws_role_name: arn:aws:iam::1:role/gw }
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
/** The result, as gw reads it at a start. */
const read = (text: string) =>
  readCatalogueFile({ text, name: "gw.config.yaml", variable: (name) => ENVIRONMENT[name] });

describe("LiteLLM", () => {
  const { yaml, notTaken, remarks } = IMPORTS.litellm(LITELLM).result();

  test("becomes a catalogue file that gw reads: suppliers by address and key, variables kept, no secret written", () => {
    const { suppliers, models } = read(yaml);
    expect(suppliers.map(({ name, kind, base_url }) => [name, kind, base_url])).toEqual([
      ["openai", "chat", "https://api.openai.com/v1"],
      ["azure", "chat", "https://example.openai.azure.com/openai/deployments/{model}"],
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
      retires_at: new Date("2027-03-31"),
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

  test.each(["input_cost_per_token", "output_cost_per_token"])(
    "a price of which only %s is known is left out",
    (known) => {
      const { yaml, remarks } = IMPORTS.litellm(`
model_list:
  - model_name: half
    litellm_params: { model: hosted_vllm/x, api_base: "http://10.0.0.5:8000/v1", ${known}: 2.5e-7 }
    model_info: { max_input_tokens: 32000, max_output_tokens: 4000 }
`).result();
      expect(yaml).not.toContain("per_mtok");
      expect(remarks).toEqual([
        expect.stringContaining("its price is left out"),
        expect.stringContaining("half: no price"),
      ]);
    },
  );

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
      bedrock: { keys: [{ models: ["amazon.nova-pro-v1:0"], bedrock_key_config: { role_arn: "arn:x" } }] },
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
    "providers.bedrock.keys[0]",
    "providers.nobody.keys[0] y",
    "plugins",
  ]);
});

const CLOUDS = `
model_list:
  - model_name: gpt-4o
    litellm_params:
      model: azure/gpt-4o-eu
      api_base: https://eu.openai.azure.com/
      api_version: "2025-04-01-preview"
      api_key: os.environ/AZURE_API_KEY
    model_info: { base_model: azure/gpt-4o, input_cost_per_token: 2.5e-06, output_cost_per_token: 1e-05, max_input_tokens: 128000, max_output_tokens: 16384 }
  - model_name: gpt-4o-entra
    litellm_params:
      model: azure/gpt-4o-us
      api_base: https://us.openai.azure.com/openai/deployments/gpt-4o-us
      tenant_id: os.environ/AZURE_TENANT_ID
      client_id: 66666666-7777-8888-9999-000000000000
      client_secret: os.environ/AZURE_CLIENT_SECRET
    model_info: { input_cost_per_token: 2.5e-06, output_cost_per_token: 1e-05, max_input_tokens: 128000, max_output_tokens: 16384 }
  - model_name: claude
    litellm_params:
      model: bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0
      aws_access_key_id: os.environ/CUSTOM_AWS_ACCESS_KEY_ID
      aws_secret_access_key: os.environ/CUSTOM_AWS_SECRET_ACCESS_KEY
      aws_region_name: os.environ/CUSTOM_AWS_REGION_NAME
  - model_name: nova
    litellm_params: { model: bedrock/converse/eu-west-1/amazon.nova-pro-v1:0 }
  - model_name: nova-by-key
    litellm_params: { model: bedrock/amazon.nova-lite-v1:0, api_key: os.environ/BEDROCK_KEY, aws_region_name: us-west-2 }
  - model_name: gemini-pro
    litellm_params:
      model: vertex_ai/gemini-2.5-pro
      vertex_project: my-project
      vertex_location: europe-west4
      vertex_credentials: os.environ/VERTEX_JSON
  - model_name: gemini-flash
    litellm_params: { model: vertex_ai/gemini-2.5-flash, vertex_location: global, vertex_credentials: /etc/key.json }
  - model_name: claude-on-vertex
    litellm_params: { model: vertex_ai/claude-sonnet-4@20250514, vertex_project: my-project }
  - model_name: vectors
    litellm_params: { model: bedrock/amazon.titan-embed-text-v2:0, aws_region_name: us-west-2 }
    model_info: { mode: embedding }
`;

describe("clouds", () => {
  const variables: Readonly<Record<string, string>> = {
    ...{ AZURE_API_KEY: "az-1", AZURE_TENANT_ID: "11111111", AZURE_CLIENT_SECRET: "hush", BEDROCK_KEY: "bk-1" },
    ...{
      CUSTOM_AWS_ACCESS_KEY_ID: "AKID",
      CUSTOM_AWS_SECRET_ACCESS_KEY: "secret",
      CUSTOM_AWS_REGION_NAME: "us-east-2",
    },
    ...{ AWS_ACCESS_KEY_ID: "AK2", AWS_SECRET_ACCESS_KEY: "s2", GOOGLE_CLOUD_PROJECT: "another" },
    ...{ VERTEX_JSON: "v-json", VERTEX_SERVICE_ACCOUNT: "v-account" },
  };
  const readIn = (yaml: string) => readCatalogueFile({ text: yaml, name: "f", variable: (name) => variables[name] });
  const { yaml, remarks, notTaken } = IMPORTS.litellm(CLOUDS).result();
  const { suppliers, models } = readIn(yaml);
  const servedBy = (model: string) => {
    const [route] = models.find(({ id }) => id === model)!.routes;
    return { ...route!, by: suppliers.find(({ name }) => name === route!.supplier)! };
  };
  const keyOf = (model: string) => servedBy(model).by.credentials[0];

  test("Azure: a version means the paths of deployments, none the v1 API; an application of Entra signs in", () => {
    expect(servedBy("gpt-4o")).toMatchObject({
      upstream_model: "gpt-4o-eu",
      by: {
        base_url: "https://eu.openai.azure.com/openai/deployments/{model}",
        query: { "api-version": "2025-04-01-preview" },
        key_header: "api-key",
      },
    });
    expect(servedBy("gpt-4o-entra").by.base_url).toBe("https://us.openai.azure.com/openai/v1");
    expect(JSON.parse((keyOf("gpt-4o-entra") as { apiKey: string }).apiKey)).toEqual({
      type: "client_credentials",
      token_url: "https://login.microsoftonline.com/11111111/oauth2/v2.0/token",
      client_id: "66666666-7777-8888-9999-000000000000",
      client_secret: "hush",
      scope: "https://cognitiveservices.azure.com/.default",
    });
  });

  test("Bedrock: its region is the address and the signature's, its access key is kept in its variables", () => {
    expect(servedBy("claude")).toMatchObject({
      upstream_model: "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
      by: { kind: "bedrock", base_url: "https://bedrock-runtime.us-east-2.amazonaws.com", region: "us-east-2" },
    });
    expect(keyOf("claude")).toMatchObject({ apiKey: "AKID:secret" });
    expect(servedBy("nova")).toMatchObject({ upstream_model: "amazon.nova-pro-v1:0", by: { region: "eu-west-1" } });
    expect(keyOf("nova")).toMatchObject({ apiKey: "AK2:s2" });
    expect(keyOf("nova-by-key")).toMatchObject({ apiKey: "bk-1" });
    expect(servedBy("nova").price).toMatchObject({ input_per_mtok: expect.anything() });
  });

  test("Vertex AI: project and location are the address, and the key is JSON in a variable", () => {
    const of = (location: string, project: string) => `/v1/projects/${project}/locations/${location}`;
    expect(servedBy("gemini-pro").by).toMatchObject({
      ...{ kind: "vertex", region: "europe-west4" },
      base_url: `https://europe-west4-aiplatform.googleapis.com${of("europe-west4", "my-project")}`,
    });
    expect(keyOf("gemini-pro")).toMatchObject({ apiKey: "v-json" });
    expect(servedBy("gemini-flash").by.base_url).toBe(`https://aiplatform.googleapis.com${of("global", "another")}`);
    expect(keyOf("gemini-flash")).toMatchObject({ apiKey: "v-account" });
  });

  test("says what has to be done by hand, and what gw does not serve there", () => {
    for (const what of ["VERTEX_SERVICE_ACCOUNT to the content of /etc/key.json", "no path", "GOOGLE_CLOUD_PROJECT"])
      expect(remarks.join("\n")).toContain(what);
    expect(remarks.join("\n")).toContain("set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
    expect(notTaken.map((line) => line.split(": ").at(-1))).toEqual([
      "gw asks Vertex AI for Google's own models alone",
      "gw asks bedrock for chat alone",
    ]);
  });

  test("Bifrost: the same from the configuration of its keys", () => {
    const config = {
      providers: {
        azure: {
          keys: [
            {
              ...{ value: "env.AZURE_API_KEY", models: ["gpt-4o"] },
              azure_key_config: {
                endpoint: "https://eu.openai.azure.com",
                api_version: "2024-10-21",
                deployments: { "gpt-4o": "house" },
              },
            },
          ],
        },
        bedrock: {
          keys: [
            {
              models: ["amazon.nova-pro-v1:0"],
              bedrock_key_config: {
                access_key: "env.AWS_ACCESS_KEY_ID",
                secret_key: "env.AWS_SECRET_ACCESS_KEY",
                region: "us-west-2",
              },
            },
          ],
        },
        vertex: {
          keys: [
            {
              ...{ value: "", models: ["gemini-2.5-pro"] },
              vertex_key_config: { project_id: "p", region: "global", auth_credentials: "env.VERTEX_JSON" },
            },
          ],
        },
      },
    };
    const file = readIn(IMPORTS.bifrost(JSON.stringify(config)).result().yaml);
    expect(file.suppliers).toMatchObject([
      { base_url: "https://eu.openai.azure.com/openai/deployments/{model}", query: { "api-version": "2024-10-21" } },
      { base_url: "https://bedrock-runtime.us-west-2.amazonaws.com", credentials: [{ apiKey: "AK2:s2" }] },
      {
        base_url: "https://aiplatform.googleapis.com/v1/projects/p/locations/global",
        credentials: [{ apiKey: "v-json" }],
      },
    ]);
  });
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

test("a byte order mark in front of another gateway's file changes nothing", () => {
  const FILES = { litellm: LITELLM, bifrost: '{"providers":{}}', "new-api": "[]" } as const;
  for (const [kind, text] of Object.entries(FILES)) {
    const read = IMPORTS[kind as keyof typeof IMPORTS];
    expect(read(`\ufeff${text}`).result()).toEqual(read(text).result());
  }
});
