import { type Gateway, startGateway } from "./gateway";
import { type ScriptedSupplier, startScriptedSupplier } from "./scripted-supplier";

/** A gateway with one supplier that is called in both dialects, as models `chat-model` and `messages-model`. */
export type BothDialects = { gateway: Gateway; supplier: ScriptedSupplier; close(): Promise<void> };

/** The supplier's API key; no client may ever see it. */
export const SUPPLIER_KEY = "sk-secret-of-the-supplier";

export async function startBothDialects(): Promise<BothDialects> {
  const supplier = await startScriptedSupplier();
  const gateway = await startGateway({ config: catalogueFor(supplier.url) });
  return {
    gateway,
    supplier,
    close: async () => {
      await gateway.close();
      await supplier.close();
    },
  };
}

function catalogueFor(base_url: string): object {
  const supplier = (name: string, kind: string, region = "eu") => ({
    name,
    kind,
    base_url,
    region,
    timeout_ms: 10_000,
    idle_timeout_ms: 10_000,
    cooldown: false,
    credentials: [{ name: "main", api_key: SUPPLIER_KEY }],
  });
  const route = (name: string, priority = 1) => ({
    supplier: name,
    upstream_model: "upstream",
    priority,
    weight: 1,
    price: { input_per_mtok: 1, output_per_mtok: 2, cached_input_per_mtok: 0.1, cache_write_per_mtok: 1.25 },
  });
  const model = (id: string, ...routes: object[]) => ({
    id,
    owned_by: "test",
    capability: "chat",
    context_tokens: 200_000,
    max_output_tokens: 8_000,
    routes,
  });
  return {
    suppliers: [
      supplier("speaks-chat", "chat"),
      { ...supplier("tells-no-usage", "chat"), stream_usage: false },
      supplier("speaks-messages", "messages"),
      supplier("abroad", "messages", "us"),
    ],
    models: [
      model("chat-model", route("speaks-chat")),
      model("silent-model", route("tells-no-usage")),
      model("messages-model", route("speaks-messages")),
      model("either-model", route("speaks-chat"), route("speaks-messages", 2)),
      model("abroad-model", route("abroad")),
    ],
  };
}
