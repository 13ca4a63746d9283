import { db } from "~/connection/db.server";
import { type Actor, authorOf } from "~/domain/accounts/shared";
import { createSupplier, loadCatalogue, setPrice, updateSupplier } from "~/domain/catalogue/index.server";
import { recordTokenEvent, stopCredentials } from "~/domain/credentials/index.server";
import type { TokenEvent } from "~/domain/credentials/shared";

/** A supplier in addition to the sandbox, without calls: its address is reserved for examples. */
const NAME = "aurora-eu";
const MODELS = ["sandbox-chat", "sandbox-messages"] as const;
const DAY_MS = 86_400_000;
const nano = (usd: number) => BigInt(Math.round(usd * 1_000)) * 1_000_000n;

/** Adds a supplier in the portal as the operator, with prices for long inputs and for other tiers. Returns its id. */
export async function addSupplier(by: Actor): Promise<number> {
  const supplierId = await createSupplier(db(), authorOf(by), {
    name: NAME,
    kind: "chat",
    baseUrl: "https://eu.aurora.example/v1",
    region: "eu",
    apiKey: "sk-demo-that-opens-nothing",
  });
  await price(by, supplierId, {
    input_per_mtok: nano(0.6),
    output_per_mtok: nano(1.8),
    cached_input_per_mtok: nano(0.06),
    long_context: [{ above_input_tokens: 64_000, input_per_mtok: nano(1.2), output_per_mtok: nano(2.7) }],
    tiers: {
      flex: { input_per_mtok: nano(0.3), output_per_mtok: nano(0.9), asked_only: true },
      priority: { input_per_mtok: nano(1.05), output_per_mtok: nano(3.15) },
    },
  });
  await loadCatalogue();
  return supplierId;
}

/** Reduces its prices. */
export async function cutPrices(by: Actor, supplierId: number): Promise<void> {
  await price(by, supplierId, { input_per_mtok: nano(0.55), output_per_mtok: nano(1.65) });
  await loadCatalogue();
}

/** Schedules another price and drains the supplier, because its address does not answer. */
export async function planPrices(by: Actor, supplierId: number): Promise<void> {
  await price(by, supplierId, { input_per_mtok: nano(0.5), output_per_mtok: nano(1.5) }, 14 * DAY_MS);
  await updateSupplier(db(), authorOf(by), supplierId, { draining: true });
  await loadCatalogue();
}

/** Records events of its key for the event log: a rate limit, a rejection, and a replacement. */
export function keyTroubles(by: Actor, supplierId: () => number): { at: number; does: () => Promise<void> }[] {
  const reported =
    (...events: Omit<TokenEvent, "provider" | "keyName" | "source">[]) =>
    async () => {
      for (const event of events) recordTokenEvent({ provider: NAME, keyName: "portal", source: "traffic", ...event });
      // Flushes each event at its own time, so that it is not counted together with the next.
      await stopCredentials();
    };
  const refused = { kind: "used_error", errorKind: "401", detail: "invalid_api_key" } as const;
  const limited = { kind: "used_error", errorKind: "429", detail: "rate_limit_exceeded" } as const;
  const replaceKey = async () => {
    await updateSupplier(db(), authorOf(by), supplierId(), { apiKey: "sk-demo-that-opens-nothing-either" });
    await stopCredentials();
  };
  return [
    {
      at: 0.9925,
      does: reported(limited, limited, { kind: "cooled", errorKind: "limited", detail: "for aurora-chat, 20 s" }),
    },
    { at: 0.9926, does: reported({ kind: "recovered", errorKind: "limited", detail: "for aurora-chat" }) },
    {
      at: 0.995,
      does: reported(refused, refused, refused, {
        kind: "cooled",
        errorKind: "refused",
        detail: "for all models, 60 s",
      }),
    },
    { at: 0.9955, does: replaceKey },
    { at: 0.9956, does: reported({ kind: "recovered", errorKind: "refused", detail: "for all models" }) },
  ];
}

type Change = Parameters<typeof setPrice>[2]["change"];

/** Sets a price that starts shortly in the future, so that its time is that of the history. */
async function price(by: Actor, supplierId: number, change: Change, aheadMs = 60_000): Promise<void> {
  for (const modelId of MODELS)
    await setPrice(db(), authorOf(by), {
      supplierId,
      modelId,
      upstreamModel: modelId.replace("sandbox", "aurora"),
      change,
      base: null,
      model: { capability: "chat", contextTokens: 131_072, maxOutputTokens: 16_384, ownedBy: "aurora" },
      from: new Date(Date.now() + aheadMs),
    });
}
