import { type Fault, faultsOf, type Shape } from "./faults";
import { modelName, PROTOCOLS } from "./protocols";

/** Prices in USD; in nano-USD: 500 and 1,500 a token, 2,000,000 a search, 100,000 a second, 15,000 a character. */
const PRICES: Readonly<Record<string, object>> = {
  chat: { input_per_mtok: 0.5, output_per_mtok: 1.5 },
  messages: { input_per_mtok: 0.5, output_per_mtok: 1.5, cached_input_per_mtok: 0.5, cache_write_per_mtok: 0.5 },
  native: { input_per_mtok: 0.5, output_per_mtok: 1.5 },
  embedding: { input_per_mtok: 0.5 },
  rerank: { per_request: 0.002 },
  transcription: { per_second: 0.0001 },
  speech: { per_mchar: 15 },
};

/** Returns the price of a call by the supplier's own bill. */
export function priceOf(models: string, bill: { promptTokens: number; completionTokens: number }): bigint {
  const [input, output] = [BigInt(bill.promptTokens), BigInt(bill.completionTokens)];
  switch (models) {
    case "embedding":
      return input * 500n;
    case "rerank":
      return output * 2_000_000n;
    case "transcription":
      return output * 100_000n;
    case "speech":
      return input * 15_000n;
    default:
      return input * 500n + output * 1_500n;
  }
}

/** Returns a catalogue with a model for each fault of each protocol; `more`: additional faults of event streams. */
export function catalogueFor(standInUrl: string, closedPort: number, more: readonly Fault[] = []): object {
  const supplier = (name: string, kind: string, base_url: string, ms = 20_000) => ({
    ...{ name, kind, base_url, region: "eu", cooldown: false, timeout_ms: ms, idle_timeout_ms: ms },
    credentials: [{ name: "main", api_key: "sk-supplier" }],
  });
  const kinds = ["chat", "messages", "native_agent"];
  return {
    suppliers: kinds.flatMap((kind) => [
      supplier(kind, kind, standInUrl),
      supplier(`${kind}-hasty`, kind, standInUrl, 500),
      supplier(`${kind}-closed`, kind, `http://127.0.0.1:${closedPort}/v1`),
      supplier(`${kind}-tls`, kind, standInUrl.replace("http:", "https:")),
    ]),
    models: [...new Set(PROTOCOLS.map(({ models }) => models))].flatMap((models) => {
      const shapes = PROTOCOLS.filter((protocol) => protocol.models === models).map(({ shape }) => shape);
      const faults = [...faultsFor(shapes), ...(shapes.includes("events") ? more : [])];
      return faults.map((fault) => modelFor(models, fault));
    }),
  };
}

/** Returns the faults of several shapes without duplicates. */
function faultsFor(shapes: readonly Shape[]): Fault[] {
  const byName = new Map<string, Fault>();
  for (const fault of shapes.flatMap(faultsOf)) byName.set(fault.name, fault);
  return [...byName.values()];
}

function modelFor(models: string, { name, hasty }: Fault): object {
  const capability = models === "messages" || models === "native" ? "chat" : models;
  const kind = models === "native" ? "native_agent" : models === "messages" ? "messages" : "chat";
  const door = name === "closed" || name === "tls" ? `-${name}` : hasty ? "-hasty" : "";
  return {
    id: modelName(models, name),
    owned_by: "stand-in",
    capability,
    ...(capability === "chat" ? { context_tokens: 128_000, max_output_tokens: 4_000 } : {}),
    routes: [{ supplier: kind + door, upstream_model: `x-fault-${name}`, price: PRICES[models] }],
  };
}
