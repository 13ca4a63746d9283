/** What a price is made of, as the columns of the file have it: US dollars as decimals, `long_context` and `tiers` as JSON. */
export const PRICE_COLUMNS = [
  ...["input_per_mtok", "output_per_mtok", "cached_input_per_mtok", "cache_write_per_mtok", "cache_write_1h_per_mtok"],
  ...["audio_input_per_mtok", "audio_output_per_mtok", "per_tool_use", "per_request", "per_second", "per_mchar"],
  ...["long_context", "tiers"],
] as const;

/** The columns that are JSON. */
export const isJsonColumn = (column: string): boolean => column === "long_context" || column === "tiers";

/** Which way to serve a model a line is about. */
const NAME_COLUMNS = ["supplier", "model", "upstream_model"] as const;
export const FILE_COLUMNS: readonly string[] = [...NAME_COLUMNS, ...PRICE_COLUMNS];

export const MAX_FILE_LINES = 2_000;
export const MAX_FILE_CHARACTERS = 500_000;

/**
 * What is wrong with a line. `unknown`: nobody serves such a model so; `ofFile`: the catalogue file has its price; `twice`: an earlier
 * line is about the same; `empty`: it takes a price away; `missing`: a chat model without a price for input or output.
 */
export type LineProblem =
  | { code: "unknown" | "ofFile" | "twice" | "empty" | "name" | "shape" }
  | { code: "amount" | "missing" | "column"; column: string };

/** Why a file could not be read at all. */
export type FileProblem =
  | { code: "empty" | "json" | "quote" | "tooLong" }
  | { code: "columns"; columns: readonly string[] };

/** One part of a price that the file changes: decimals of US dollars; null: it has none. `share`: by how much, null where nothing was before. */
export type AmountChange = { column: string; from: string | null; to: string | null; share: number | null };

/** A price that the file changes. `next`: another price begins then all the same. */
export type PlannedChange = {
  line: number;
  supplier: string;
  model: string;
  upstreamModel: string;
  amounts: readonly AmountChange[];
  next: Date | null;
};

/** What a file would do. With problems it does nothing. `fingerprint` stands for exactly these changes. */
export type PricePlan = {
  fingerprint: string;
  changes: readonly PlannedChange[];
  unchanged: number;
  problems: readonly { line: number; supplier: string; model: string; problem: LineProblem }[];
};
