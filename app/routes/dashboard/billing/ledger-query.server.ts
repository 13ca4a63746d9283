import type { z } from "zod";
import type { LedgerFilter } from "~/domain/accounting/shared";
import type { LEDGER_FILTERS } from "./ledger-filters";

/** Returns the filter for these query fields. */
export function ledgerFilterOf(query: z.output<z.ZodObject<typeof LEDGER_FILTERS.query>>): LedgerFilter {
  const { kind, since, until, minimum } = query;
  return { kind, since, until, minimumNanoUsd: minimum };
}
