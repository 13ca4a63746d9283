import type { FilePrice } from "../file/file-schema";
import type { FileTier, FileTiers } from "../file/file-tiers";
import type { ServiceTier } from "../shared";
import type { Preset } from "./presets";

/** US dollars per million tokens: input, input read from a cache, output. */
type Amounts = readonly [input: number, cached: number, output: number];

/** Prices of a model at the ordinary tier (`is`) and at other tiers. */
type Listed = { is: Amounts } & Partial<Record<ServiceTier, Amounts>>;

/**
 * Tier prices of OpenAI's price page, July 2026; the price catalogue has only the ordinary tier. A row applies only
 * while the catalogue has the same ordinary prices: after a price change, the tier prices are unknown.
 */
const OPENAI: Readonly<Record<string, Listed>> = {
  "gpt-4.1": { is: [2, 0.5, 8], priority: [3.5, 0.875, 14], batch: [1, 0.5, 4] },
  "gpt-4.1-mini": { is: [0.4, 0.1, 1.6], priority: [0.7, 0.175, 2.8], batch: [0.2, 0.1, 0.8] },
  "gpt-4.1-nano": { is: [0.1, 0.025, 0.4], priority: [0.2, 0.05, 0.8], batch: [0.05, 0.025, 0.2] },
  "gpt-4o": { is: [2.5, 1.25, 10], priority: [4.25, 2.125, 17], batch: [1.25, 1.25, 5] },
  "gpt-4o-mini": { is: [0.15, 0.075, 0.6], priority: [0.25, 0.125, 1], batch: [0.075, 0.075, 0.3] },
  "gpt-5": { is: [1.25, 0.125, 10], flex: [0.625, 0.0625, 5], priority: [2.5, 0.25, 20] },
  "gpt-5-mini": { is: [0.25, 0.025, 2], flex: [0.125, 0.0125, 1], priority: [0.45, 0.045, 3.6] },
  "gpt-5-nano": { is: [0.05, 0.005, 0.4], flex: [0.025, 0.0025, 0.2] },
  "gpt-5.1": { is: [1.25, 0.125, 10], priority: [2.5, 0.25, 20] },
  "gpt-5.2": { is: [1.75, 0.175, 14], priority: [3.5, 0.35, 28] },
  "gpt-5.4": { is: [2.5, 0.25, 15], flex: [1.25, 0.13, 7.5], priority: [5, 0.5, 30], batch: [1.25, 0.25, 7.5] },
  "gpt-5.4-mini": {
    is: [0.75, 0.075, 4.5],
    flex: [0.375, 0.0375, 2.25],
    priority: [1.5, 0.15, 9],
    batch: [0.375, 0.075, 2.25],
  },
  "gpt-5.4-nano": { is: [0.2, 0.02, 1.25], flex: [0.1, 0.01, 0.625], batch: [0.1, 0.02, 0.625] },
  "gpt-5.5": { is: [5, 0.5, 30], flex: [2.5, 0.25, 15], priority: [10, 1, 60], batch: [2.5, 0.5, 15] },
  o3: { is: [2, 0.5, 8], flex: [1, 0.25, 4], priority: [3.5, 0.875, 14] },
  "o4-mini": { is: [1.1, 0.275, 4.4], flex: [0.55, 0.1375, 2.2], priority: [2, 0.5, 8] },
};

/** Prices of Google's tiers in tenths of the ordinary prices, from the notes of the price catalogue. */
const GOOGLE: Readonly<Record<string, Partial<Record<ServiceTier, bigint>>>> = {
  "gemini-3.5-flash": { flex: 5n, batch: 5n },
  "gemini-3.5-flash-lite": { flex: 5n, batch: 5n },
  "gemini-3.6-flash": { flex: 5n, batch: 5n },
  "gemini-3.7-flash": { flex: 5n, batch: 5n, priority: 18n },
  "gemini-3.8-flash": { flex: 5n, batch: 5n, priority: 18n },
};

/** Returns the tier prices of a provider's model; undefined: unknown. */
export function listedTiers({ tiers }: Preset, apiName: string, price: FilePrice): FileTiers | undefined {
  // A dated snapshot costs the same as its model.
  const name = apiName.replace(/-\d{4}-\d{2}-\d{2}$/, "");
  if (tiers === "openai") return OPENAI[name] && tiersBeside(OPENAI[name], price);
  if (tiers === "google") return GOOGLE[name] && tiersByTenths(GOOGLE[name], price);
  return undefined;
}

function tiersBeside({ is, ...tiers }: Listed, price: FilePrice): FileTiers | undefined {
  const [input, cached, output] = is.map(nanoUsd);
  const { input_per_mtok, cached_input_per_mtok = cached, output_per_mtok } = price;
  if (input_per_mtok !== input || cached_input_per_mtok !== cached || output_per_mtok !== output) return undefined;
  return mapped(tiers, (amounts) => {
    const [input_per_mtok = 0n, cached_input_per_mtok = 0n, output_per_mtok = 0n] = amounts.map(nanoUsd);
    return { input_per_mtok, cached_input_per_mtok, output_per_mtok };
  });
}

function tiersByTenths(tiers: Partial<Record<ServiceTier, bigint>>, price: FilePrice): FileTiers | undefined {
  const { input_per_mtok, output_per_mtok, cached_input_per_mtok = input_per_mtok } = price;
  if (input_per_mtok === undefined || output_per_mtok === undefined) return undefined;
  return mapped(tiers, (tenths) => {
    const of = (amount: bigint) => (amount * tenths + 9n) / 10n;
    // Discounts apply to input and output. No source states a discount on cached input.
    const cached = tenths < 10n ? cached_input_per_mtok! : of(cached_input_per_mtok!);
    return { input_per_mtok: of(input_per_mtok), cached_input_per_mtok: cached, output_per_mtok: of(output_per_mtok) };
  });
}

/** A project uses the ordinary tier unless its owner chooses another one, which the catalogue file then states. */
const mapped = <T>(tiers: Partial<Record<ServiceTier, T>>, pricesOf: (tier: T) => FileTier): FileTiers =>
  Object.fromEntries(Object.entries(tiers).map(([name, tier]) => [name, { ...pricesOf(tier), asked_only: true }]));

const nanoUsd = (usd: number): bigint => BigInt(Math.round(usd * 1e9));
