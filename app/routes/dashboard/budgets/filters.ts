import { z } from "zod";
import { BUDGET_SCOPES } from "~/domain/accounting/shared";
import { BUDGET_SORTS, BUDGET_STATES } from "~/domain/budgets/shared";
import { orNothing, SearchText } from "~/http/body/fields";
import { choices, defineFilters, unseen } from "~/ui/lists/filters";

/** The filters of the list of budgets. A `-` before the order reverses it. */
export const BUDGET_FILTERS = defineFilters({
  texts: "budgetTree",
  query: {
    q: orNothing(SearchText),
    kind: orNothing(z.enum(BUDGET_SCOPES)),
    state: orNothing(z.enum(BUDGET_STATES)),
    sort: orNothing(z.string().regex(new RegExp(`^-?(?:${BUDGET_SORTS.join("|")})$`))),
  },
  fields: (t) => ({
    q: { label: t("filter.name"), wide: true },
    kind: {
      label: t("filter.kind"),
      any: t("filter.anyKind"),
      options: choices(BUDGET_SCOPES, (kind) => t(`kind.${kind}`)),
    },
    state: {
      label: t("filter.state"),
      any: t("filter.anyState"),
      options: choices(BUDGET_STATES, (state) => t(`state.${state}`)),
    },
    sort: unseen(true),
  }),
});
