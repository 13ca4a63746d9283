import type { FilePrice } from "./file/file-schema";
import { PRICE_COLUMNS } from "./price-file/shared";
import type { PriceRow } from "./store";

const IN_JSON: ReadonlySet<string> = new Set(["long_context", "tiers"]);

/** Converts a stored price to the form of a file. */
export function filePrice(row: Omit<PriceRow, "id" | "route_id">): FilePrice {
  const amounts = PRICE_COLUMNS.flatMap((column) =>
    IN_JSON.has(column) || row[column] === null ? [] : [[column, row[column]] as const],
  );
  return {
    ...(Object.fromEntries(amounts) as FilePrice),
    ...(row.long_context === null ? {} : { long_context: amountsIn(row.long_context) as FilePrice["long_context"] }),
    ...(row.tiers === null ? {} : { tiers: amountsIn(row.tiers) as FilePrice["tiers"] }),
  };
}

/** Texts in a document are amounts; other values are not. */
function amountsIn(stored: unknown): unknown {
  if (typeof stored === "string") return BigInt(stored);
  if (Array.isArray(stored)) return stored.map(amountsIn);
  if (typeof stored !== "object" || stored === null) return stored;
  return Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, amountsIn(value)]));
}
