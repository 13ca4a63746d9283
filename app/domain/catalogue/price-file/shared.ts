/** Parts of a price, as columns of the file: US dollars as decimals, `long_context` and `tiers` as JSON. */
export const PRICE_COLUMNS = [
  ...["input_per_mtok", "output_per_mtok", "cached_input_per_mtok", "cache_write_per_mtok", "cache_write_1h_per_mtok"],
  ...["audio_input_per_mtok", "audio_output_per_mtok", "per_tool_use", "per_request", "per_second", "per_mchar"],
  ...["long_context", "tiers"],
] as const;

/** Whether a column contains JSON. */
export const isJsonColumn = (column: string): boolean => column === "long_context" || column === "tiers";

/** Columns that identify a route. */
const NAME_COLUMNS = ["supplier", "model", "upstream_model"] as const;
export const FILE_COLUMNS: readonly string[] = [...NAME_COLUMNS, ...PRICE_COLUMNS];

export const MAX_FILE_LINES = 2_000;
export const MAX_FILE_CHARACTERS = 500_000;

/**
 * A mistake in a line. `unknown`: no such route; `ofFile`: the catalogue file owns its price; `twice`: an earlier line
 * has the same route; `empty`: it removes a price; `missing`: a chat model without a price for input or output.
 */
export type LineProblem =
  | { code: "unknown" | "ofFile" | "twice" | "empty" | "name" | "shape" }
  | { code: "amount" | "missing" | "column"; column: string };

/** Reason why a file cannot be read at all. */
export type FileProblem =
  | { code: "empty" | "json" | "quote" | "tooLong" }
  | { code: "columns"; columns: readonly string[] };

/**
 * A changed part of a price, as decimals of US dollars; null: none. `share`: relative change, null if there was no
 * price before.
 */
export type AmountChange = { column: string; from: string | null; to: string | null; share: number | null };

/** A changed price. `next`: start of the next scheduled price. */
export type PlannedChange = {
  line: number;
  supplier: string;
  model: string;
  upstreamModel: string;
  amounts: readonly AmountChange[];
  next: Date | null;
};

/** The effect of a file; none if there are mistakes. `fingerprint` identifies exactly these changes. */
export type PricePlan = {
  fingerprint: string;
  changes: readonly PlannedChange[];
  unchanged: number;
  problems: readonly { line: number; supplier: string; model: string; problem: LineProblem }[];
};
