import { z } from "zod";
import { LEDGER_KINDS } from "~/domain/accounting/shared";
import { orNothing, Usd } from "~/http/body/fields";
import { choices, defineFilters } from "~/ui/lists/filters";
import { entryKindText } from "./entry-text";

const Day = z.iso.date().transform((day) => new Date(`${day}T00:00:00Z`));
const DAY_MS = 86_400_000;

/** The filters of the ledger. Days are UTC; `until` is inclusive. */
export const LEDGER_FILTERS = defineFilters({
  texts: "billing",
  query: {
    kind: orNothing(z.enum(LEDGER_KINDS)),
    since: orNothing(Day),
    until: orNothing(Day.transform((day) => new Date(day.getTime() + DAY_MS))),
    minimum: orNothing(Usd),
  },
  fields: (t) => ({
    kind: {
      label: t("ledger.kind"),
      any: t("ledger.anyKind"),
      options: choices(LEDGER_KINDS, (kind) => entryKindText(t, kind)),
    },
    since: { label: t("ledger.since"), type: "date" },
    until: { label: t("ledger.until"), type: "date" },
    minimum: { label: t("ledger.minimum"), type: "text" },
  }),
});
