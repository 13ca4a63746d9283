import { describe, expect, test } from "vitest";
import { readCatalogueFile } from "./read-file";

const VARIABLES: Record<string, string> = { PRIMARY_KEY: "sk-primary", IN_PRICE: "0.25" };
const read = (text: string) => readCatalogueFile({ name: "gw.config.yaml", text, variable: (name) => VARIABLES[name] });

const WHOLE = `suppliers:
  - name: primary
    kind: chat
    base_url: https://api.example.com/v1/
    region: eu
    timeout_ms: 30000
    credentials: [{ name: main, api_key: "\${PRIMARY_KEY}" }]
models:
  - id: fast-chat
    owned_by: example
    capability: chat
    context_tokens: 128000
    max_output_tokens: 16000
    routes:
      - supplier: primary
        upstream_model: gpt-x
        priority: 1
        weight: 1
        price: { input_per_mtok: 0.50, output_per_mtok: 1.50, cached_input_per_mtok: 0.000000001, per_request: 0 }
`;

test("reads suppliers, models and prices, with variables and defaults", () => {
  const file = read(WHOLE);
  expect(file.suppliers).toEqual([
    {
      name: "primary",
      kind: "chat",
      base_url: "https://api.example.com/v1",
      region: "eu",
      timeout_ms: 30_000,
      idle_timeout_ms: 300_000,
      cooldown: true,
      stream_usage: true,
      credentials: [{ name: "main", apiKey: "sk-primary" }],
    },
  ]);
  expect(file.models[0]?.routes[0]?.price).toEqual({
    input_per_mtok: 500_000_000n,
    output_per_mtok: 1_500_000_000n,
    cached_input_per_mtok: 1n,
    per_request: 0n,
  });
});

test("streams may be told not to ask for usage, where they are streams of the chat style", () => {
  const supplier = (kind: string) =>
    `{"suppliers":[{"name":"s","kind":"${kind}","base_url":"https://s.example/v1","stream_usage":false}]}`;
  for (const kind of ["chat", "gateway"])
    expect(read(supplier(kind)).suppliers[0]).toMatchObject({ stream_usage: false });
  expect(() => read(supplier("messages"))).toThrow("stream_usage is for suppliers of the kinds chat and gateway");
});

test("a supplier's batches have a protocol and a share of its prices, where there are such suppliers", () => {
  const supplier = (kind: string, batch: unknown) =>
    JSON.stringify({ suppliers: [{ name: "s", kind, base_url: "https://s.example/v1", batch }] });
  const half = { protocol: "openai", price: 0.5 };
  for (const kind of ["chat", "gateway"])
    expect(read(supplier(kind, half)).suppliers[0]).toMatchObject({
      batch: { protocol: "openai", priceMillionths: 500_000 },
    });
  expect(read(supplier("messages", false)).suppliers[0]).toMatchObject({ batch: false });
  expect(read(supplier("messages", { ...half, protocol: "anthropic" })).suppliers[0]).toMatchObject({
    batch: { protocol: "anthropic" },
  });
  for (const [kind, batch] of [
    ["messages", half],
    ["chat", { ...half, protocol: "anthropic" }],
    ["bedrock", half],
  ] as const)
    expect(() => read(supplier(kind, batch))).toThrow("suppliers[0].batch has the protocol openai");
  for (const wrong of [true, { protocol: "openai" }, { ...half, price: 1.5 }, { ...half, price: "half" }])
    expect(() => read(supplier("chat", wrong)), JSON.stringify(wrong)).toThrow("suppliers[0].batch");
});

test("reads JSON, and a price from a variable", () => {
  const file = read(`{"suppliers":[{"name":"s","kind":"sandbox"}],"models":[{"id":"m","capability":"embedding",
    "routes":[{"supplier":"s","price":{"input_per_mtok":"\${IN_PRICE}"}}]}]}`);
  expect(file.models[0]?.routes[0]?.price?.input_per_mtok).toBe(250_000_000n);
});

test("a file without suppliers has to say so, because an empty one is more likely a mishap", () => {
  expect(read("suppliers: []\n")).toEqual({ suppliers: [], models: [] });
  for (const nothing of ["", "# nothing yet\n", "---\n"]) {
    expect(() => read(nothing)).toThrow(
      "gw.config.yaml is empty; for no suppliers at all, it has to say so: suppliers: []",
    );
  }
});

describe("a mistake is one line that names file, line and field", () => {
  const changed = (from: string, to: string) => () => read(WHOLE.replace(from, to));
  const cases: [string, () => unknown, string][] = [
    [
      "unknown field",
      changed("region: eu", "regoin: eu"),
      "gw.config.yaml line 5: unknown field regoin in suppliers[0]",
    ],
    [
      "unknown field in a flow map",
      changed("per_request: 0 ", "per_reqest: 0 "),
      "line 19: unknown field per_reqest in models[0].routes[0].price",
    ],
    ["unknown top-level field", changed("models:", "model:"), "line 8: unknown field model"],
    ["unknown kind", changed("kind: chat", "kind: chatty"), "line 3: suppliers[0].kind must be one of chat, messages"],
    [
      "address",
      changed("https://api.example.com/v1/", "ftp://x"),
      "line 4: suppliers[0].base_url must be an http:// or https:// address",
    ],
    [
      "missing address",
      changed("base_url: https://api.example.com/v1/", ""),
      "line 2: suppliers[0].base_url is required",
    ],
    ["missing name", changed("- name: primary\n    kind", "- kind"), "line 2: suppliers[0].name is required"],
    ["missing variable", changed("PRIMARY_KEY", "OTHER_KEY"), "line 7: the environment variable OTHER_KEY is not set"],
    [
      "ten decimals",
      changed("0.000000001", "0.0000000001"),
      "line 19: models[0].routes[0].price.cached_input_per_mtok has more than nine decimals",
    ],
    ["negative", changed("1.50", "-1.50"), "line 19: models[0].routes[0].price.output_per_mtok must not be negative"],
    [
      "exponent",
      changed("0.50", "5e-1"),
      "line 19: models[0].routes[0].price.input_per_mtok must be a plain decimal number",
    ],
    [
      "not a number",
      changed("0.50", "cheap"),
      "line 19: models[0].routes[0].price.input_per_mtok must be a plain decimal number",
    ],
    [
      "infinity",
      changed("0.50", ".inf"),
      "line 19: models[0].routes[0].price.input_per_mtok must be a plain decimal number",
    ],
    [
      "far too much",
      changed("0.50", "1000000.1"),
      "line 19: models[0].routes[0].price.input_per_mtok is more than 1000000",
    ],
    [
      "chat without an output price",
      changed("output_per_mtok: 1.50, ", ""),
      "line 19: models[0].routes[0].price.output_per_mtok is required for a chat model",
    ],
    [
      "chat without a size",
      changed("    max_output_tokens: 16000\n", ""),
      "line 9: models[0].max_output_tokens is required for a chat model",
    ],
    ["half a token", changed("128000", "0.5"), "line 12: models[0].context_tokens must be a whole number"],
    [
      "negative weight",
      changed("weight: 1", "weight: -1"),
      "line 18: models[0].routes[0].weight must be a whole number",
    ],
    [
      "unknown supplier",
      changed("- supplier: primary", "- supplier: secondary"),
      'line 15: models[0].routes[0].supplier names "secondary", which is no supplier of this file',
    ],
    ["a field twice", changed("region: eu", "kind: chat"), "line 5: Map keys must be unique"],
    ["a list instead of a map", () => read("- one"), "line 1: the file must be a map of fields"],
    ["a map instead of a list", () => read("suppliers:\n  name: x"), "line 1: suppliers must be a list"],
    ["broken YAML", () => read("suppliers: [\n"), "gw.config.yaml line "],
    [
      "two suppliers of one name",
      () => read("suppliers:\n- {name: a, kind: sandbox}\n- {name: a, kind: sandbox}"),
      "line 3: suppliers[1].name is there twice",
    ],
    [
      "two models of one name",
      () => read("models:\n- {id: a, capability: rerank}\n- {id: a, capability: rerank}"),
      "line 3: models[1].id is there twice",
    ],
    ["an alias inside what it names", () => read("suppliers: &all\n- *all"), "line 2: the alias all contains itself"],
  ];
  test.each(cases)("%s", (_name, attempt, message) => {
    let told = "";
    try {
      attempt();
    } catch (error) {
      told = (error as Error).message;
    }
    expect(told).toContain(message);
    expect(told).not.toContain("\n");
  });

  test("a secret from a variable is never repeated", () => {
    const attempt = () =>
      readCatalogueFile({ name: "f", text: `suppliers: [{ name: "a", kind: "\${K}" }]`, variable: () => "sk-secret" });
    expect(attempt).toThrow(/^(?!.*sk-secret)/);
  });
});

test("a credential may be an account: client credentials, or the JSON key of a service account", () => {
  const key = {
    type: "service_account",
    client_email: "a@b",
    private_key: "-----BEGIN x\n",
    token_uri: "https://t.example",
  };
  const credentialOf = (credential: string) =>
    readCatalogueFile({
      name: "gw.config.yaml",
      text: `suppliers: [{ name: s, kind: chat, base_url: "https://x.example/v1", credentials: [{ name: main, ${credential} }] }]`,
      variable: () => JSON.stringify(key, null, 2),
    }).suppliers[0]!.credentials[0];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a catalogue file names variables so
  expect(credentialOf('api_key: "${KEY}"')).toEqual({ name: "main", apiKey: JSON.stringify(key) });
  const given = credentialOf('token_url: "https://t.example", client_id: gw, client_secret: hush, scope: models');
  expect(JSON.parse((given as { apiKey: string }).apiKey)).toEqual({
    type: "client_credentials",
    token_url: "https://t.example",
    client_id: "gw",
    client_secret: "hush",
    scope: "models",
  });
  for (const [wrong, words] of [
    ["client_secret: hush, client_id: gw", /token_url is required/],
    [
      'client_secret: hush, client_id: gw, token_url: "https://t.example", refresh_token: r',
      /refresh_token cannot stand/,
    ],
    ['api_key: \'{"type":"service_account"}\'', /api_key must be printable ASCII/],
    ["api_key: k, scope: s", /scope cannot stand beside api_key/],
  ] as const)
    expect(() => credentialOf(wrong)).toThrow(words);
});

describe("what every request to a supplier carries", () => {
  const supplier = (more: object) => {
    const fields = { name: "s", kind: "chat", base_url: "https://s.example/v1", ...more };
    return () => read(JSON.stringify({ suppliers: [fields] })).suppliers[0];
  };
  const main = [{ name: "main", api_key: "sk-1" }];

  test("headers and parameters are read, with variables in their values", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a catalogue file names variables so
    const headers = { "X-Team": "platform", "x-key": "${PRIMARY_KEY}" };
    expect(supplier({ headers, query: { "api-version": "2024-10-21" }, key_header: "API-Key" })()).toMatchObject({
      headers: { "x-team": "platform", "x-key": "sk-primary" },
      query: { "api-version": "2024-10-21" },
      key_header: "api-key",
    });
  });

  test.each([
    "Host",
    "content-length",
    "Transfer-Encoding",
    "connection",
    "proxy-authorization",
    "accept",
    "x-request-id",
  ])("the header %s is not theirs to set", (name) => {
    expect(supplier({ headers: { [name]: "x" } })).toThrow("is a header that gw sets itself");
    expect(supplier({ key_header: name })).toThrow("is a header that gw sets itself");
  });

  test("a header signs in where there is no credential to do so, and only there", () => {
    for (const name of ["Authorization", "api-key", "X-Api-Key", "x-goog-api-key"]) {
      expect(supplier({ headers: { [name]: "x" } })()).toMatchObject({ headers: { [name.toLowerCase()]: "x" } });
      expect(supplier({ headers: { [name]: "x" }, credentials: main })).toThrow(
        "cannot stand beside the supplier's credentials",
      );
    }
    expect(supplier({ headers: { "x-key": "x" }, key_header: "x-key", credentials: main })).toThrow(
      "cannot stand beside",
    );
  });

  test.each([
    [{ headers: { "x y": "1" } }, "must be the name of a header"],
    [{ headers: { x: "a\r\nb: c" } }, "must be printable ASCII"],
    [{ headers: { x: "" } }, "must not be empty"],
    [{ headers: { x: "1", X: "2" } }, "is there twice"],
    [
      { headers: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x-${i}`, "1"])) },
      "has more than 20 entries",
    ],
    [{ query: { "a&b": "1" } }, "must be the name of a query parameter"],
    [{ query: { alt: "json" } }, "is a parameter that gw sets itself"],
    [{ kind: "messages", key_header: "x-key" }, "key_header is for suppliers of the kinds chat and gateway"],
    [{ kind: "messages", base_url: "https://s.example/{model}" }, "kinds chat and gateway only"],
    [{ base_url: "https://{model}.example/v1" }, "may have braces for {model} as a segment of its path only"],
    [{ base_url: "https://s.example/a{model}" }, "may have braces for {model} as a segment of its path only"],
    [{ base_url: "https://s.example/{deployment}" }, "may have braces for {model} as a segment of its path only"],
  ])("%j is a mistake", (more, message) => {
    expect(supplier(more)).toThrow(message);
  });

  test("a preset for deployments has their key in their header", () => {
    const preset = { preset: "azure", api_key: "k", models: [] };
    const of = (base_url: string) => read(JSON.stringify({ suppliers: [{ ...preset, base_url }] })).suppliers[0];
    expect(of("https://r.example/openai/deployments/{model}")?.key_header).toBe("api-key");
    expect(of("https://r.example/openai/v1")?.key_header).toBeUndefined();
  });
});
