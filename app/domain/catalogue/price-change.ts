import type { FilePrice } from "./file/file-schema";
import type { FileTier } from "./file/file-tiers";
import { SERVICE_TIERS, type ServiceTier } from "./shared";

/** A change to each part of a price: an amount in nano-USD; null removes the part; undefined keeps it. */
type Said<T> = { [K in keyof T]?: T[K] | null };

/** A change to a service tier. Its prices for long inputs do not change. */
export type TierChange = Said<Omit<FileTier, "long_context">>;

/** A change to a price, part by part; omitted parts keep their values. */
export type PriceChange = Said<Omit<FilePrice, "tiers">> & { tiers?: Partial<Record<ServiceTier, TierChange | null>> };

/** Returns a price with some parts changed; `before` null: there was no price. */
export function changedPrice(before: FilePrice | null, { tiers: tierChanges = {}, ...change }: PriceChange): FilePrice {
  const { tiers: tiersBefore = {}, ...partsBefore } = before ?? {};
  const tiers = Object.fromEntries(
    SERVICE_TIERS.flatMap((name) => {
      const [tier, wanted] = [tiersBefore[name], tierChanges[name]];
      if (wanted === undefined) return tier === undefined ? [] : [[name, tier]];
      return wanted === null ? [] : [[name, merged(tier ?? {}, wanted)]];
    }),
  ) as NonNullable<FilePrice["tiers"]>;
  const parts = merged(partsBefore, change);
  return Object.keys(tiers).length === 0 ? parts : { ...parts, tiers };
}

/** Merges a change into its parts; absent parts stay absent. */
function merged<T extends object>(before: T, change: Said<T>): T {
  const entries = Object.entries({ ...before, ...present(change) });
  return Object.fromEntries(entries.filter(([, value]) => value !== null)) as T;
}

const present = (change: object) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
