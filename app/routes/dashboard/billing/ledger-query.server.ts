import { z } from "zod";
import { LEDGER_KINDS, type LedgerFilter } from "~/domain/accounting/shared";
import { orNothing, Usd } from "~/http/body/fields";

const Day = z.iso.date().transform((day) => new Date(`${day}T00:00:00Z`));
const DAY_MS = 86_400_000;

/** Filter of the ledger. Days are UTC; `until` is inclusive. */
export const ledgerFields = {
  kind: orNothing(z.enum(LEDGER_KINDS)),
  since: orNothing(Day),
  until: orNothing(Day.transform((day) => new Date(day.getTime() + DAY_MS))),
  minimum: orNothing(Usd),
};

/** Returns the filter for these query fields. */
export function ledgerFilterOf(query: z.output<z.ZodObject<typeof ledgerFields>>): LedgerFilter {
  const { kind, since, until, minimum } = query;
  return { kind, since, until, minimumNanoUsd: minimum };
}
