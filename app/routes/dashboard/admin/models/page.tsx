import { useTranslation } from "react-i18next";
import { z } from "zod";
import { refusedFormOf } from "~/access/flash.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/db.server";
import { readAdminCatalogue } from "~/domain/catalogue/index.server";
import { readRouteHealth } from "~/domain/routing/index.server";
import { orNothing, SearchText } from "~/http/fields";
import { LinkButton } from "~/ui/Button";
import { FilterInput } from "~/ui/FilterFields";
import { useChips } from "~/ui/list-address";
import { FilterBar } from "~/ui/list-parts";
import { PageHeader, Section } from "~/ui/page-parts";
import { Tabs } from "~/ui/Tabs";
import { shownPrice } from "../../../_public/catalogue-view/shown-models.server";
import type { Route } from "./+types/page";
import { ModelTable } from "./ModelTable";
import { NewSupplier } from "./NewSupplier";
import { PriceTable } from "./PriceTable";
import { SetPrice } from "./SetPrice";
import { SupplierTable } from "./SupplierTable";
import { ADMIN_MODELS, NEW_SUPPLIER, SET_PRICE, TABS } from "./shared";
import { supplierHealth } from "./supplier-health";

export const loader = pageLoader(
  { allow: "platform_admin", query: z.object({ tab: z.enum(TABS).default("suppliers"), q: orNothing(SearchText) }) },
  async ({ query, context }) => {
    const { suppliers, models, routes } = await readAdminCatalogue(db());
    const search = query.q?.toLowerCase() ?? "";
    const has = (...texts: string[]) => texts.join(" ").toLowerCase().includes(search);
    const prices = routes.map((route) => ({ ...route, price: route.price === null ? null : shownPrice(route.price) }));
    return {
      tab: query.tab,
      refused: refusedFormOf(context, query.tab === "prices" ? SET_PRICE : NEW_SUPPLIER),
      ownSuppliers: suppliers.filter(({ source }) => source === "portal").map(({ id, name }) => ({ id, name })),
      counts: { suppliers: suppliers.length, models: models.length, prices: routes.length },
      suppliers: query.tab === "suppliers" ? suppliers.filter(({ name, baseUrl }) => has(name, baseUrl)) : [],
      health: query.tab === "suppliers" ? supplierHealth(readRouteHealth()) : {},
      models: query.tab === "models" ? models.filter(({ id, suppliers: names }) => has(id, ...names)) : [],
      prices: query.tab === "prices" ? prices.filter(({ modelId, supplier }) => has(modelId, supplier)) : [],
    };
  },
);

export default function AdminModels({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("adminModels");
  const chips = useChips({ q: [t("search"), (value) => value] });
  return (
    <>
      <PageHeader
        title={t("title")}
        sub={t("subtitle")}
        actions={
          <>
            <LinkButton to={`${ADMIN_MODELS}/credentials`}>{t("credentials.link")}</LinkButton>
            <LinkButton to={`${ADMIN_MODELS}/dry-run`}>{t("dryRun")}</LinkButton>
          </>
        }
      />
      <Tabs
        label={t("title")}
        tabs={TABS.map((tab) => ({
          to: `${ADMIN_MODELS}?tab=${tab}`,
          label: t(`tab.${tab}`),
          current: tab === view.tab,
          count: view.counts[tab],
        }))}
      />
      <FilterBar chips={chips} clear={`${ADMIN_MODELS}?tab=${view.tab}`}>
        <input type="hidden" name="tab" value={view.tab} />
        <FilterInput name="q" label={t("search")} wide />
      </FilterBar>
      <Section flush>
        {view.tab === "suppliers" ? <SupplierTable suppliers={view.suppliers} health={view.health} /> : null}
        {view.tab === "models" ? <ModelTable models={view.models} /> : null}
        {view.tab === "prices" ? <PriceTable prices={view.prices} /> : null}
      </Section>
      {view.tab === "suppliers" ? <NewSupplier refused={view.refused} /> : null}
      {view.tab === "prices" ? <SetPrice suppliers={view.ownSuppliers} refused={view.refused} /> : null}
    </>
  );
}
