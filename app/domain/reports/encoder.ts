import type { ReportRow } from "./answer";

/** Makes bytes of rows. What `begin`, `rows` and `end` answer, one after the other, is the file. */
export type Encoder = {
  begin(): Uint8Array;
  rows(rows: readonly ReportRow[]): Uint8Array;
  end(): Uint8Array;
};
