import { z } from "zod";
import { KEY_SORTS, KEY_STATUSES } from "~/domain/keys/shared";
import { Id, orNothing, SearchText } from "~/http/body/fields";
import { sortField } from "~/http/body/list-order";
import { choices, defineFilters, named, unseen } from "~/ui/lists/filters";

type Named = readonly { id: number; name: string }[];
type View = { others: boolean; people: Named; projects: Named; models: readonly string[] };

/** The filters of the list of keys. A `-` before the order reverses it. */
export const KEY_FILTERS = defineFilters({
  texts: "keys",
  query: {
    q: orNothing(SearchText),
    status: orNothing(z.enum(KEY_STATUSES)),
    owner: orNothing(Id),
    project: orNothing(Id),
    model: orNothing(SearchText),
    sort: sortField(KEY_SORTS),
  },
  fields: (t, { others, people, projects, models }: View) => ({
    q: { label: t("list.search"), chip: t("list.name"), wide: true },
    status: {
      label: t("list.status"),
      any: t("list.anyStatus"),
      options: choices(KEY_STATUSES, (status) => t(`status.${status}`)),
    },
    owner: { ...named(people, others), label: t("list.owner"), any: t("list.anyOwner") },
    project: { ...named(projects), label: t("list.project"), any: t("list.anyProject") },
    model: { label: t("list.model"), any: t("list.anyModel"), options: choices(models, (id) => id) },
    sort: unseen(true),
  }),
});
