import { ACCESS_ROWS } from "./catalogue-access";
import { CORRECT_ROWS_A_TO_H } from "./catalogue-correct-a-h";
import { CORRECT_ROWS_I_TO_N } from "./catalogue-correct-i-n";
import { CORRECT_ROWS_O_TO_Z } from "./catalogue-correct-o-z";
import { type CatalogueEntry, completeRows } from "./catalogue-entry";
import { RETRY_ROWS } from "./catalogue-retry";
import { SPECIFIC_ROWS } from "./catalogue-specific";

/** All codes of gw itself. A response may instead have a supplier's own code. */
export type ErrorCode =
  | keyof typeof SPECIFIC_ROWS
  | keyof typeof RETRY_ROWS
  | keyof (typeof ACCESS_ROWS)["A"]
  | keyof (typeof ACCESS_ROWS)["P"]
  | keyof (typeof ACCESS_ROWS)["B"]
  | keyof typeof CORRECT_ROWS_A_TO_H
  | keyof typeof CORRECT_ROWS_I_TO_N
  | keyof typeof CORRECT_ROWS_O_TO_Z;

/** The whole catalogue, in the order of the published reference. */
export const CATALOGUE_ENTRIES: readonly CatalogueEntry[] = [
  ...completeRows("S", SPECIFIC_ROWS),
  ...completeRows("R", RETRY_ROWS),
  ...completeRows("A", ACCESS_ROWS.A),
  ...completeRows("P", ACCESS_ROWS.P),
  ...completeRows("B", ACCESS_ROWS.B),
  ...completeRows("C", CORRECT_ROWS_A_TO_H),
  ...completeRows("C", CORRECT_ROWS_I_TO_N),
  ...completeRows("C", CORRECT_ROWS_O_TO_Z),
];

/** Code → entry. A Map, so that a code from outside can never reach a prototype. */
export const CATALOGUE: ReadonlyMap<string, CatalogueEntry> = new Map(
  CATALOGUE_ENTRIES.map((entry) => [entry.code, entry]),
);

export function isErrorCode(code: string): code is ErrorCode {
  return CATALOGUE.has(code);
}

/** Returns the catalogue entry of a code. */
export function entryOf(code: ErrorCode): CatalogueEntry {
  return CATALOGUE.get(code) as CatalogueEntry;
}
