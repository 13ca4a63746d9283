import { z } from "zod";
import { BATCH_STATES } from "~/domain/batches/shared";
import { orNothing } from "~/http/body/fields";
import { choices, defineFilters } from "~/ui/lists/filters";

/** The filters of the list of batches. */
export const BATCH_FILTERS = defineFilters({
  texts: "batches",
  query: { state: orNothing(z.enum(BATCH_STATES)) },
  fields: (t) => ({
    state: {
      label: t("col.state"),
      any: t("anyState"),
      options: choices(BATCH_STATES, (state) => t(`state.${state}`)),
    },
  }),
});
