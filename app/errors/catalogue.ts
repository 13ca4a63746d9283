import { type CatalogueEntry, completeRows, type ErrorGroup, GROUPS } from "./catalogue-entry";
import { CATALOGUE_ROWS } from "./catalogue-rows";
import { RESERVED_ENTRIES } from "./reserved";

/** The codes that gw answers with. A response may instead have a supplier's own code. */
export type ErrorCode = { [Group in ErrorGroup]: keyof (typeof CATALOGUE_ROWS)[Group] }[ErrorGroup];

/** The whole catalogue, reserved codes included, by group and code. */
export const CATALOGUE_ENTRIES: readonly CatalogueEntry[] = (Object.keys(GROUPS) as ErrorGroup[]).flatMap((group) =>
  [
    ...completeRows(group, CATALOGUE_ROWS[group]),
    ...RESERVED_ENTRIES.filter((entry) => entry.group === group),
  ].toSorted((a, b) => (a.code < b.code ? -1 : 1)),
);

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
