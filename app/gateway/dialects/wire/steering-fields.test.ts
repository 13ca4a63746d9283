import { describe, expect, test } from "vitest";
import { type Route, SUPPLIER_KINDS, type SupplierKind } from "~/domain/catalogue/shared";
import type { BodySource, DialectName } from "../../canonical/exchange";
import type { InferenceRequest } from "../../canonical/inference-request";
import { chatDialect } from "../chat";
import { embeddingsDialect } from "../embeddings";
import { messagesDialect } from "../messages";
import { nativeDialect } from "../native";
import { rerankDialect } from "../rerank";
import { speechDialect } from "../speech";
import { translatorFor } from "../translators";

const route = (kind: SupplierKind) => ({ upstreamModel: "up", supplier: { kind } }) as Route;
const messages = [{ role: "user", content: "Hi" }];
const BODIES = [
  [chatDialect, { messages }],
  [messagesDialect, { messages, max_tokens: 5 }],
  [nativeDialect, { input: messages, stream: true }],
  [embeddingsDialect, { input: "Hi" }],
  [rerankDialect, { query: "q", documents: ["d"] }],
  [speechDialect, { input: "Hi" }],
] as const;
const STEERING = {
  api_key: "sk-other",
  api_base: "http://evil.example",
  Base_URL: "http://evil.example",
  extra_headers: { host: "evil.example" },
  extra_body: { model: "dear" },
  headers: { authorization: "Bearer other" },
  organization: "org-other",
  data_sources: [
    { type: "azure_search", parameters: { authentication: { type: "system_assigned_managed_identity" } } },
  ],
  dataSources: [{ type: "AzureCognitiveSearch" }],
  search_parameters: { mode: "on" },
  enable_search: true,
  plugins: [{ id: "web" }],
  compound_custom: { tools: { enabled_tools: ["web_search"] } },
  models: ["dear"],
  provider: { order: ["other"] },
  route: "fallback",
  transforms: ["middle-out"],
};

describe.each(SUPPLIER_KINDS)("to a supplier of the kind %s", (kind) => {
  test.each(BODIES)("of %#, what would steer it goes only where that is meant", (dialect, body) => {
    const given = { model: "m", mine: { api_base: "stays inside" }, ...body, ...STEERING };
    const inference = dialect.read(JSON.stringify(given));
    const sent = JSON.parse(translatorFor(dialect.name, dialect.name)!.forward(inference, route(kind)) as string);
    const isOpen = kind === "gateway" || kind === "sandbox";
    expect(sent).toMatchObject({ model: "up", mine: given.mine, ...(isOpen ? STEERING : {}) });
    if (!isOpen) expect(Object.keys(sent).filter((name) => name in STEERING)).toEqual([]);
  });

  test("of a form too", async () => {
    const fields = [
      ["language", "de"],
      ["api_base", "http://evil.example"],
      ["extra_headers[host]", "evil.example"],
    ];
    const file = { size: 0, pieces: async function* () {} };
    const inference = {
      dialect: "transcription" as DialectName,
      source: { file, format: "mp3", fields },
    } as unknown as InferenceRequest;
    const { open, contentType } = translatorFor("transcription", "transcription")!.forward(
      inference,
      route(kind),
    ) as BodySource;
    const pieces: Buffer[] = [];
    for await (const piece of open()) pieces.push(Buffer.from(piece));
    const form = await new Response(Buffer.concat(pieces), { headers: { "content-type": contentType } }).formData();
    const isOpen = kind === "gateway" || kind === "sandbox";
    const steering = isOpen ? ["api_base", "extra_headers[host]"] : [];
    expect([...form.keys()]).toEqual(["model", "language", ...steering, "file"]);
  });
});

test("no spelling of a field that some parser takes for it passes", () => {
  const text =
    '{"model":"m","messages":[{"role":"user","content":"Hi"}],"API_KEY":"a","Api_Ba\\u0073e":"b","api_ba\u017fe":"c","x":1}';
  const inference = chatDialect.read(text);
  expect(JSON.parse(translatorFor("chat", "chat")!.forward(inference, route("chat")) as string)).toEqual({
    model: "up",
    messages,
    x: 1,
  });
});
