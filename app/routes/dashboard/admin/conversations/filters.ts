import { z } from "zod";
import { Id, orNothing, SearchText } from "~/http/body/fields";
import { defineFilters } from "~/ui/lists/filters";

const Name = orNothing(z.string().trim().max(256));

/** The filters of the list of conversations. */
export const CONVERSATION_FILTERS = defineFilters({
  texts: "conversations",
  query: { q: orNothing(SearchText), model: Name, session: Name, key: orNothing(Id) },
  fields: (t) => ({
    q: { label: t("filter.q"), wide: true },
    model: { label: t("col.model") },
    session: { label: t("col.session") },
    key: { label: t("col.key"), field: null },
  }),
});
