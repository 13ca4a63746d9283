import { parseUsd } from "~/values/money";
import type { CatalogueFile } from "./file/file-schema";

const usd = (text: string) => parseUsd(text) as bigint;

type ModelEntry = CatalogueFile["models"][number];

function model(
  entry: Pick<ModelEntry, "id" | "capability" | "context_tokens" | "max_output_tokens" | "auto">,
  price: ModelEntry["routes"][number]["price"],
): ModelEntry {
  const route = { supplier: "sandbox", upstream_model: entry.id, priority: 1, weight: 1, price };
  return { ...entry, owned_by: "sandbox", routes: [route] };
}

const chatPrice = {
  input_per_mtok: usd("0.5"),
  output_per_mtok: usd("1.5"),
  cached_input_per_mtok: usd("0.05"),
  cache_write_per_mtok: usd("0.625"),
};
const chat = { capability: "chat", context_tokens: 128_000, max_output_tokens: 16_000 } as const;

/** Chat models that fail in different ways, described in the documentation of the sandbox. */
const FAULTS = ["401", "429", "500", "503", "529", "timeout", "slow", "cut", "cut-before", "error-event", "error-mid"];
const STRANGE = ["malformed", "empty", "no-usage", "insane-usage"];

/** The catalogue of an installation without a catalogue file: the sandbox, with realistic prices. */
export const sandboxCatalogue: CatalogueFile = {
  suppliers: [
    {
      name: "sandbox",
      kind: "sandbox",
      region: "global",
      timeout_ms: 60_000,
      idle_timeout_ms: 60_000,
      cooldown: false,
      stream_usage: true,
      credentials: [],
    },
  ],
  models: [
    model({ id: "sandbox-chat", ...chat }, chatPrice),
    model({ id: "sandbox-messages", ...chat }, chatPrice),
    model({ id: "sandbox-agent", ...chat }, chatPrice),
    model({ id: "sandbox-embed", capability: "embedding", context_tokens: 8_192 }, { input_per_mtok: usd("0.02") }),
    model(
      { id: "sandbox-rerank", capability: "rerank", context_tokens: 32_000 },
      { input_per_mtok: usd("0.05"), per_request: usd("0.001") },
    ),
    model({ id: "sandbox-moderation", capability: "moderation", context_tokens: 32_000 }, { input_per_mtok: 0n }),
    model(
      { id: "sandbox-image", capability: "image", context_tokens: 32_000 },
      { input_per_mtok: usd("5"), output_per_mtok: usd("40") },
    ),
    model({ id: "sandbox-whisper", capability: "transcription" }, { per_second: usd("0.0001") }),
    // The default model of transcription clients.
    model({ id: "whisper", capability: "transcription" }, { per_second: usd("0.0001") }),
    model({ id: "sandbox-tts", capability: "speech" }, { per_mchar: usd("15") }),
    ...[...FAULTS, ...STRANGE].map((fault) => model({ id: `sandbox-fault-${fault}`, ...chat, auto: false }, chatPrice)),
  ],
};
