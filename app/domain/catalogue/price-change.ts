import type { FilePrice } from "./file-schema";
import type { FileTier } from "./file-tiers";
import { SERVICE_TIERS, type ServiceTier } from "./shared";

/** What is said of a part of a price: an amount in nano-USD; null: it is to have none; left out: it stays as it is. */
type Said<T> = { [K in keyof T]?: T[K] | null };

/** What is to become of a tier of service. Its prices for long inputs stay with it. */
export type TierChange = Said<Omit<FileTier, "long_context">>;

/** What is to become of a price, part by part; what is left out stays as it is. */
export type PriceChange = Said<Omit<FilePrice, "tiers">> & { tiers?: Partial<Record<ServiceTier, TierChange | null>> };

/** A price with some of its parts changed; `before` null: there was none. */
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

/** What neither has a say in is not there. */
function merged<T extends object>(before: T, change: Said<T>): T {
  const entries = Object.entries({ ...before, ...present(change) });
  return Object.fromEntries(entries.filter(([, value]) => value !== null)) as T;
}

const present = (change: object) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
