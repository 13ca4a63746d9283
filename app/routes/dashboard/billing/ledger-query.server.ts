import { z } from "zod";
import { LEDGER_KINDS, type LedgerFilter } from "~/domain/accounting/shared";
import { orNothing, Usd } from "~/http/fields";

const Day = z.iso.date().transform((day) => new Date(`${day}T00:00:00Z`));
const DAY_MS = 86_400_000;

/** Which lines of the ledger are wanted. Days are UTC; `until` is the last one that counts. */
export const ledgerFields = {
  kind: orNothing(z.enum(LEDGER_KINDS)),
  since: orNothing(Day),
  until: orNothing(Day.transform((day) => new Date(day.getTime() + DAY_MS))),
  minimum: orNothing(Usd),
};

/** The filter that these fields of an address say. */
export function ledgerFilterOf(query: z.output<z.ZodObject<typeof ledgerFields>>): LedgerFilter {
  const { kind, since, until, minimum } = query;
  return { kind, since, until, minimumNanoUsd: minimum };
}
