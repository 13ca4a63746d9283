import { type AgentSupplier, startAgentSupplier } from "./agent-supplier";
import { type Gateway, type GatewayOptions, startGateway } from "./gateway";

/** A gateway in front of a supplier of the native agent protocol. */
export type AgentGateway = Gateway & {
  supplier: AgentSupplier;
  budgetKey: string;
  /** Sends the request of a native agent; by default with a key that has a budget, to the model `agent`. */
  respond(
    body?: object | string,
    init?: { key?: string; headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Response>;
};

export type Pool = { count: number; expiresAt?: (index: number) => string; fixed?: boolean };

/** Prices in nano-USD per token. */
export const AGENT_PRICE = { input: 1_000n, cached: 100n, output: 2_000n };

/** Name of a credential of the pool; its tokens derive from the name. */
export const tokenName = (index: number) => `token-${String(index).padStart(2, "0")}`;

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** Credentials in the form of a catalogue file: OAuth credentials, or fixed tokens. */
const poolOf = ({ tokenUrl }: Pick<AgentSupplier, "tokenUrl">, { count, expiresAt = inAnHour, fixed = false }: Pool) =>
  Array.from({ length: count }, (_, index) => {
    const name = tokenName(index);
    if (fixed) return { name, api_key: `access-${name}` };
    const tokens = { access_token: `access-${name}`, refresh_token: `refresh-${name}` };
    return { name, ...tokens, expires_at: expiresAt(index), token_url: tokenUrl, client_id: "client-1" };
  });

/** The catalogue: model `agent` on a pool, `alone` on one token, `abroad` in the US, `chatty` on a chat supplier. */
export function agentCatalogue(supplier: AgentSupplier, pool: Pool, more: object = {}): object {
  const one = (name: string, kind: string, credentials: object[], fields: object = {}) => ({
    name,
    kind,
    base_url: supplier.url,
    region: "eu",
    timeout_ms: 5_000,
    idle_timeout_ms: 5_000,
    credentials,
    ...fields,
  });
  const model = (id: string, ...suppliers: string[]) => ({
    id,
    capability: "chat",
    context_tokens: 100_000,
    max_output_tokens: 8_000,
    routes: suppliers.map((name, index) => ({
      supplier: name,
      upstream_model: id === "agent" ? "upstream-agent" : id,
      priority: index + 1,
      price: { input_per_mtok: 1, cached_input_per_mtok: 0.1, output_per_mtok: 2, per_tool_use: 0 },
    })),
  });
  return {
    suppliers: [
      one("pool", "native_agent", poolOf(supplier, pool), more),
      one("alone", "native_agent", [{ name: "only", api_key: "access-only" }], { cooldown: false }),
      one("abroad", "native_agent", [{ name: "us", api_key: "access-us" }], { region: "us" }),
      one("chatty", "chat", [{ name: "chat", api_key: "sk-chat" }]),
    ],
    models: [
      model("agent", "pool"),
      model("alone", "alone"),
      model("abroad", "abroad"),
      model("chatty", "chatty"),
      model("backed", "alone", "pool"),
      model("either", "chatty", "alone"),
    ],
  };
}

export async function startAgentGateway(
  pool: Pool = { count: 3 },
  { supplier: given, more, ...options }: GatewayOptions & { supplier?: AgentSupplier; more?: object } = {},
): Promise<AgentGateway> {
  const supplier = given ?? (await startAgentSupplier());
  const gateway = await startGateway({ config: agentCatalogue(supplier, pool, more), ...options });
  const { key: budgetKey } = await gateway.createKey({ budget_limit: 1_000, budget_period: "monthly" });
  return {
    ...gateway,
    supplier,
    budgetKey,
    respond: (body = {}, { key = budgetKey, headers = {}, signal } = {}) =>
      fetch(`${gateway.url}/v1/vendorb/responses`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify({ ...AGENT_ASK, ...body }),
        signal,
      }),
    close: async () => {
      await gateway.close();
      if (given === undefined) await supplier.close();
    },
  };
}

/** A request in the form that coding agents of this family send: no instructions, nothing stored. */
export const AGENT_ASK = {
  model: "agent",
  input: [
    { type: "message", role: "developer", content: [{ type: "input_text", text: "You are terse." }] },
    { type: "message", role: "user", content: [{ type: "input_text", text: "Hello" }] },
  ],
  tools: [{ type: "custom", name: "apply_patch" }, { type: "web_search" }],
  stream: true,
  store: false,
  include: ["reasoning.encrypted_content"],
  prompt_cache_key: "thread-1",
  client_metadata: { a: "b" },
};
