import type { ReportRow } from "./answer";

/** Encodes rows. The file is the concatenated output of `begin`, `rows` and `end`. */
export type Encoder = {
  begin(): Uint8Array;
  rows(rows: readonly ReportRow[]): Uint8Array;
  end(): Uint8Array;
};
