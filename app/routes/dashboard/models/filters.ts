import { z } from "zod";
import { CAPABILITIES } from "~/domain/catalogue/shared";
import { Id, orNothing } from "~/http/body/fields";
import { choices, defineFilters, named } from "~/ui/lists/filters";

type Named = { id: number; name: string };
/** `key`: the selected key, which may not be among the first `keys`. */
type View = { regions: readonly string[]; keys: readonly Named[]; key: Named | null };

/** The filters of the list of models. `key`: only models that this key may call. */
export const MODEL_FILTERS = defineFilters({
  texts: "modelPages",
  query: {
    q: orNothing(z.string().trim().max(200)),
    capability: orNothing(z.enum(CAPABILITIES)),
    region: orNothing(z.string().max(63)),
    key: orNothing(Id),
  },
  fields: (t, { regions, keys, key }: View) => ({
    q: { label: t("filter.search"), wide: true },
    capability: {
      label: t("col.capability"),
      any: t("filter.everyCapability"),
      options: choices(CAPABILITIES, (id) => t(`capability.${id}`)),
    },
    region: { label: t("filter.region"), any: t("filter.everyRegion"), options: choices(regions, (id) => id) },
    key: {
      ...named(key === null || keys.some(({ id }) => id === key.id) ? keys : [key, ...keys], true),
      label: t("filter.key"),
      any: t("filter.anyKey"),
      text: () => key?.name ?? "",
    },
  }),
});
