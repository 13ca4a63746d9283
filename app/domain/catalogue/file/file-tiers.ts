import { z } from "zod";
import { SERVICE_TIERS, type ServiceTier } from "../shared";
import { flag, integer, usd } from "./file-fields";

/** Token prices of calls with more input tokens than a limit. */
const LongContextEntry = z.strictObject({
  above_input_tokens: integer(1, 1_000_000_000),
  input_per_mtok: usd,
  output_per_mtok: usd,
  cached_input_per_mtok: usd.optional(),
  cache_write_per_mtok: usd.optional(),
  cache_write_1h_per_mtok: usd.optional(),
});

/** Field for the prices of long inputs, in a price and in its tiers. */
export const longContextField = z
  .array(LongContextEntry)
  .min(1, "names no length")
  .refine(
    (entries) => entries.every((entry, i) => i === 0 || entry.above_input_tokens > entries[i - 1]!.above_input_tokens),
    "must name rising lengths",
  )
  .optional();

const AMOUNTS = [
  ...(["input_per_mtok", "output_per_mtok", "cached_input_per_mtok", "cache_write_per_mtok"] as const),
  ...(["cache_write_1h_per_mtok", "audio_input_per_mtok", "audio_output_per_mtok"] as const),
] as const;

const MAX_FACTOR = 100_000_000_000n;

const TierEntry = z
  .strictObject({
    factor: usd.refine((factor) => factor <= MAX_FACTOR, "is more than 100").optional(),
    input_per_mtok: usd.optional(),
    output_per_mtok: usd.optional(),
    cached_input_per_mtok: usd.optional(),
    cache_write_per_mtok: usd.optional(),
    cache_write_1h_per_mtok: usd.optional(),
    audio_input_per_mtok: usd.optional(),
    audio_output_per_mtok: usd.optional(),
    long_context: longContextField,
    asked_only: flag.optional(),
  })
  .refine(
    ({ factor, long_context, ...own }) =>
      factor === undefined || (long_context === undefined && AMOUNTS.every((name) => own[name] === undefined)),
    { path: ["factor"], message: "cannot stand beside prices" },
  )
  .refine(
    ({ factor, input_per_mtok, output_per_mtok }) =>
      factor !== undefined || (input_per_mtok !== undefined && output_per_mtok !== undefined),
    "must have a factor, or input_per_mtok and output_per_mtok",
  );
type TierEntry = z.infer<typeof TierEntry>;

/** Field for the tiers of a price: amounts, or a factor for all ordinary token prices. */
export const tiersField = z
  .partialRecord(z.enum(SERVICE_TIERS, `must be one of ${SERVICE_TIERS.join(", ")}`), TierEntry)
  .optional();

/** Prices of tiers in nano-USD. `asked_only`: the tier applies only to calls that request it. */
export type FileTiers = Partial<Record<ServiceTier, FileTier>>;
export type FileTier = Omit<TierEntry, "factor" | "input_per_mtok" | "output_per_mtok"> & {
  input_per_mtok: bigint;
  output_per_mtok: bigint;
};

type Written = Omit<TierEntry, "factor" | "asked_only"> & { tiers?: z.infer<typeof tiersField> };

/** Returns a price with all tiers as amounts: factors are multiplied out and rounded up to whole nano-USD. */
export function withTierAmounts<P extends Written>(
  { tiers, ...price }: P,
  context: z.RefinementCtx,
): Omit<P, "tiers"> & { tiers?: FileTiers } {
  if (tiers === undefined) return price;
  if (price.input_per_mtok === undefined || price.output_per_mtok === undefined) {
    context.addIssue({ code: "custom", path: ["tiers"], message: "needs the ordinary input and output prices" });
    return z.NEVER;
  }
  const amounts: FileTiers = {};
  for (const [tier, { factor, ...own }] of Object.entries(tiers) as [ServiceTier, TierEntry][]) {
    // The schema guarantees that a tier without a factor has both prices.
    amounts[tier] = (factor === undefined ? own : { ...own, ...timesFactor(price, factor) }) as FileTier;
  }
  return { ...price, tiers: amounts };
}

const ONE = 1_000_000_000n;

/** Multiplies the token prices of a list by a factor in billionths. */
function timesFactor(price: Omit<Written, "tiers">, factor: bigint): Partial<FileTier> {
  const scaled = <T extends object>(amounts: T): T =>
    Object.fromEntries(
      Object.entries(amounts).flatMap(([name, amount]) => {
        if (name === "above_input_tokens") return [[name, amount]];
        const isScaled = typeof amount === "bigint" && AMOUNTS.some((each) => each === name);
        return isScaled ? [[name, (amount * factor + ONE - 1n) / ONE]] : [];
      }),
    ) as T;
  const long = price.long_context?.map(scaled);
  return { ...scaled(price), ...(long === undefined ? {} : { long_context: long }) };
}
