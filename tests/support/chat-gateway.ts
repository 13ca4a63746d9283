import { expect } from "vitest";
import { freePort, type Gateway, type GatewayOptions, startGateway } from "./gateway";
import { type StandIn, startStandIn } from "./stand-in-supplier";

/** A gateway with three suppliers: a stand-in, a closed port, and the stand-in with short time-outs. */
export type ChatGateway = Gateway & {
  standIn: StandIn;
  /** Requests a chat completion with `key`; by default with a fresh key that has a budget, so that a hold is placed. */
  chat(
    body?: object,
    init?: { key?: string; headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Response>;
  /** A key with a budget: each call places a hold before its dispatch. */
  budgetKey: string;
  /** Returns the hold and the usage row of a call once the hold is closed or in review. */
  booked(callId: string): Promise<Booked>;
};

export type Booked = {
  hold: { state: string; amount: bigint; captured: bigint; absorbed: bigint } | null;
  usage: UsageRow[];
};

export type UsageRow = {
  outcome: string;
  status: number;
  errorCode: string | null;
  tokenSource: string;
  inputTokens: number;
  outputTokens: number;
  charged: bigint;
  cost: bigint;
  attempts: { supplier: string; outcome: string; status: number | null }[];
};

/** Prices in nano-USD per token of every model of the stand-in. */
export const INPUT_PRICE = 500n;
export const OUTPUT_PRICE = 1_500n;
export const priceOf = (promptTokens: number, completionTokens: number): bigint =>
  BigInt(promptTokens) * INPUT_PRICE + BigInt(completionTokens) * OUTPUT_PRICE;

const SUPPLIER_KEY = "sk-secret-of-the-supplier";
const price = { input_per_mtok: 0.5, output_per_mtok: 1.5 };

const model = (id: string, ...routes: { supplier: string; upstream_model?: string }[]) => ({
  id,
  owned_by: "stand-in",
  capability: "chat",
  context_tokens: 128_000,
  max_output_tokens: 4_000,
  routes: routes.map((route, index) => ({
    upstream_model: `upstream-${id}`,
    priority: index + 1,
    weight: 1,
    price,
    ...route,
  })),
});

/** Returns the catalogue; the name of each model describes its purpose. */
export function catalogueFor(standInUrl: string, closedPort: number): object {
  const supplier = (name: string, more: object = {}) => ({
    name,
    kind: "chat",
    base_url: standInUrl,
    region: "eu",
    timeout_ms: 10_000,
    idle_timeout_ms: 10_000,
    cooldown: false,
    credentials: [{ name: "main", api_key: SUPPLIER_KEY }],
    ...more,
  });
  return {
    suppliers: [
      supplier("primary"),
      supplier("second"),
      supplier("impatient", { timeout_ms: 700, idle_timeout_ms: 700 }),
      supplier("closed", { base_url: `http://127.0.0.1:${closedPort}/v1` }),
      supplier("elsewhere", { region: "us" }),
      supplier("gateway", { kind: "gateway" }),
    ],
    models: [
      model("fast-chat", { supplier: "primary" }),
      model("vendor/chat:free", { supplier: "primary" }),
      model("hasty-chat", { supplier: "impatient" }),
      model("closed-chat", { supplier: "closed" }),
      model("backed-chat", { supplier: "closed" }, { supplier: "primary" }),
      model("limited-chat", { supplier: "primary", upstream_model: "x-fault-429" }, { supplier: "second" }),
      model("broken-chat", { supplier: "primary", upstream_model: "x-fault-error-first" }, { supplier: "second" }),
      model("gateway-chat", { supplier: "gateway" }),
      model("us-chat", { supplier: "elsewhere" }),
      model("wide-chat", { supplier: "primary", upstream_model: "x-fault-503" }, { supplier: "elsewhere" }),
    ],
  };
}

export async function startChatGateway(options: GatewayOptions & { standIn?: StandIn } = {}): Promise<ChatGateway> {
  const { standIn: given, ...rest } = options;
  const standIn = given ?? (await startStandIn());
  const gateway = await startGateway({ config: catalogueFor(standIn.url, await freePort()), ...rest });
  const { key: budgetKey } = await gateway.createKey({ budget_limit: 1_000, budget_period: "monthly" });
  return {
    ...gateway,
    standIn,
    budgetKey,
    chat: (body = {}, { key = budgetKey, headers = {}, signal } = {}) =>
      fetch(`${gateway.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        body: JSON.stringify({
          model: "fast-chat",
          messages: [{ role: "user", content: "Hello" }],
          max_tokens: 50,
          ...body,
        }),
        signal,
      }),
    booked: (callId) => booked(gateway, callId),
    close: async () => {
      await gateway.close();
      if (!given) await standIn.close();
    },
  };
}

async function booked(gateway: Gateway, callId: string): Promise<Booked> {
  let holds: { state: string; amount: string; captured: string; absorbed: string }[] = [];
  for (let tries = 0; tries < 100; tries += 1) {
    holds = await gateway.sql("SELECT state, amount, captured, absorbed FROM hold WHERE id = $1", [callId]);
    if (holds.length > 0 && holds.every(({ state }) => state !== "reserved" && state !== "dispatched")) break;
    await pause(50);
  }
  const [hold] = holds;
  return { hold: hold ? amounts(hold) : null, usage: await usageRows(gateway, callId) };
}

const amounts = ({
  state,
  amount,
  captured,
  absorbed,
}: {
  state: string;
  amount: string;
  captured: string;
  absorbed: string;
}) => ({
  state,
  amount: BigInt(amount),
  captured: BigInt(captured),
  absorbed: BigInt(absorbed),
});

/** Returns the usage rows of one call; more than one is an error. */
export async function usageRows(gateway: Pick<Gateway, "sql">, callId: string): Promise<UsageRow[]> {
  // Under load the usage row is written about 100 ms after the settlement.
  await eventually(
    () => gateway.sql("SELECT 1 FROM unposted_turn WHERE $1::uuid = ANY (ids)", [callId]),
    (left) => left.length === 0,
  );
  const rows = await gateway.sql(
    `SELECT outcome, status, error_code AS "errorCode", token_source AS "tokenSource", input_tokens AS "inputTokens",
            output_tokens AS "outputTokens", charged, cost, attempts
       FROM usage_event WHERE request_id = $1`,
    [callId],
  );
  return rows.map((row) => ({ ...row, charged: BigInt(row.charged), cost: BigInt(row.cost) }));
}

/** Asserts that the books are consistent. */
export async function expectCleanBooks(gateway: Pick<Gateway, "sql">): Promise<void> {
  expect(await gateway.sql("SELECT * FROM ledger_audit")).toEqual([]);
}

/** Returns the data of all events of a streamed answer, parsed where it is JSON. */
export async function eventsOf(response: Response): Promise<unknown[]> {
  const text = await response.text();
  return text
    .split(/\r\n\r\n|\n\n|\r\r/)
    .flatMap((event) => event.split(/\r\n|\n|\r/).filter((line) => line.startsWith("data:")))
    .map((line) => line.slice(5).trim())
    .map((data) => (data === "[DONE]" ? data : JSON.parse(data)));
}

/** Returns the text of a streamed answer's chunks. */
export const textOf = (events: readonly unknown[]): string =>
  events
    .map((event) => (event as { choices?: { delta?: { content?: string } }[] }).choices?.[0]?.delta?.content ?? "")
    .join("");

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Reads a value repeatedly until it satisfies the condition or time runs out; returns the last value. */
export async function eventually<Value>(
  ask: () => Promise<Value>,
  fine: (value: Value) => boolean,
  patienceMs = 30_000,
): Promise<Value> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const value = await ask();
    if (fine(value) || Date.now() > until) return value;
    await pause(25);
  }
}
