import { z } from "zod";
import { orNothing, SearchText } from "~/http/body/fields";
import { choices, defineFilters } from "~/ui/lists/filters";
import type { TABS } from "./shared";

type View = { tab: (typeof TABS)[number]; supplierNames: readonly string[] };

/** The filters of suppliers, models and prices; `supplier` and `price` apply only to prices. */
export const CATALOGUE_FILTERS = defineFilters({
  texts: "adminModels",
  query: {
    q: orNothing(SearchText),
    supplier: orNothing(z.string().max(200)),
    price: orNothing(z.enum(["none"])),
  },
  fields: (t, { tab, supplierNames }: View) => {
    const shown = tab === "prices" || tab === "list" ? {} : { field: null };
    return {
      q: { label: t("search"), wide: true },
      supplier: {
        ...shown,
        label: t("col.supplier"),
        any: t("anySupplier"),
        options: choices(supplierNames, (name) => name),
      },
      price: { ...shown, label: t("tab.prices"), any: t("anyPrice"), options: [["none", t("noPrice")]] },
    };
  },
});
