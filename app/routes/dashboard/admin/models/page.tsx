import { useTranslation } from "react-i18next";
import type { z } from "zod";
import { refusedFormOf } from "~/access/flash.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import {
  countAdminCatalogue,
  type RoutePrice,
  readAdminCatalogue,
  readAdminPrices,
  readRoutePrice,
} from "~/domain/catalogue/index.server";
import { GENERAL, profileNames } from "~/domain/catalogue/profiles";
import { type PriceList, type PriceQuery, SERVICE_TIERS } from "~/domain/catalogue/shared";
import { readRouteHealth } from "~/domain/routing/index.server";
import { LinkButton } from "~/ui/Button";
import { useFilters } from "~/ui/lists/filters";
import { usePages } from "~/ui/lists/list-address";
import { FilterBar, Pager } from "~/ui/lists/list-parts";
import { PageHeader, Section } from "~/ui/page-parts";
import { Tabs } from "~/ui/Tabs";
import { shownPrice } from "../../../_public/catalogue-view/shown-models.server";
import type { Route } from "./+types/page";
import { CATALOGUE_FILTERS } from "./filters";
import { ListPriceTable } from "./ListPriceTable";
import { readListPrices } from "./list-prices.server";
import { ModelTable } from "./ModelTable";
import { ModelName } from "./model-name";
import { NewSupplier } from "./NewSupplier";
import { PriceTable } from "./PriceTable";
import { AdminModelsQuery, PAGE_SIZE, wordOf } from "./price-query.server";
import { hasRoom, valuesOf } from "./price-values.server";
import { RouteProfile } from "./RouteProfile";
import { SetPrice } from "./SetPrice";
import { SupplierDialogs } from "./SupplierActions";
import { SupplierTable } from "./SupplierTable";
import { ADMIN_MODELS, NEW_SUPPLIER, type PricedPart, SET_PRICE, TABS } from "./shared";
import { readErrorHours } from "./supplier-errors.server";
import { supplierHealth } from "./supplier-health";

export const loader = pageLoader({ allow: "platform_admin", query: AdminModelsQuery }, async ({ query, context }) => {
  const refused = refusedFormOf(context, (action) =>
    query.tab === "prices" ? action === SET_PRICE : SUPPLIER_FORM.test(action),
  );
  const own = { tab: query.tab, refused };
  const counts = await countAdminCatalogue(db());
  if (query.tab === "prices") return { ...own, counts, ...(await pricesOf(query)) };
  if (query.tab === "list") return { ...own, counts, ...(await listPricesOf(query)) };
  const { suppliers, models } = await readAdminCatalogue(db());
  const search = query.q?.toLowerCase() ?? "";
  const has = (...texts: string[]) => texts.join(" ").toLowerCase().includes(search);
  if (query.tab === "models")
    return { ...own, ...NOTHING, counts, models: models.filter(({ id, suppliers: names }) => has(id, ...names)) };
  const matches = suppliers.filter(({ name, baseUrl }) => has(name, baseUrl));
  const health = supplierHealth(readRouteHealth());
  return { ...own, ...NOTHING, counts, suppliers: matches, health, errors: await readErrorHours(db()) };
});

/** Paths of the forms that add or change a supplier. */
const SUPPLIER_FORM = new RegExp(`^${NEW_SUPPLIER}(/\\d+/update)?$`);

const NOTHING = {
  suppliers: [],
  health: {},
  errors: {},
  models: [],
  prices: [],
  next: null,
  supplierNames: [],
  ownSuppliers: [],
  listPrices: [],
  snapshot: null,
  editing: null,
  profile: null,
};

type Asked = z.output<typeof AdminModelsQuery>;

const priceQueryOf = ({ q, supplier, price, after }: Asked): PriceQuery => ({
  search: q ?? null,
  supplier: supplier ?? null,
  unpriced: price === "none",
  after: after ?? null,
  limit: PAGE_SIZE,
});

async function listPricesOf(query: Asked) {
  const [{ lines, next, snapshot }, { suppliers }] = await Promise.all([
    readListPrices(priceQueryOf(query)),
    readAdminCatalogue(db()),
  ]);
  const names = suppliers.map(({ name }) => name);
  return { ...NOTHING, listPrices: lines, snapshot, next: next && wordOf(next), supplierNames: names };
}

async function pricesOf(query: Asked) {
  const [{ routes, next }, { suppliers }, edited] = await Promise.all([
    readAdminPrices(db(), priceQueryOf(query)),
    readAdminCatalogue(db()),
    query.edit === undefined ? null : readRoutePrice(db(), query.edit),
  ]);
  const ownSuppliers = suppliers.filter(({ source }) => source === "portal").map(({ id, name }) => ({ id, name }));
  return {
    ...NOTHING,
    prices: routes.map((route) => ({
      ...route,
      price: route.price === null ? null : shownPrice(route.price),
      parts: partsOf(route.price),
    })),
    next: next === null ? null : wordOf(next),
    supplierNames: suppliers.map(({ name }) => name),
    editing: edited
      ? { values: valuesOf(edited), name: nameOf(edited), ...limitsOf(edited) }
      : newPrice(query, ownSuppliers),
    profile: edited && profileChoiceOf(edited),
    ownSuppliers,
  };
}

function partsOf(price: PriceList | null): PricedPart[] {
  if (price === null) return [];
  const has = (amount: bigint | null | undefined) => amount !== null && amount !== undefined;
  return [
    ...(has(price.audioInputPerMtok) || has(price.audioOutputPerMtok) ? (["audio"] as const) : []),
    ...(has(price.perToolUse) ? (["tools"] as const) : []),
    ...(price.longContext === undefined ? [] : (["long"] as const)),
    ...SERVICE_TIERS.filter((tier) => price.tiers?.[tier] !== undefined),
  ];
}

/**
 * A price form for a model that a supplier offers. If clients cannot call a model of that name, it is only the upstream
 * name.
 */
function newPrice({ serve, by }: Asked, suppliers: readonly { id: number }[]) {
  if (serve === undefined || !suppliers.some(({ id }) => id === by)) return null;
  const name = ModelName.safeParse(serve).success ? "model" : "upstream_model";
  const values = { supplier_id: String(by), capability: "chat", [name]: serve };
  return { values, name: serve, hasLongRoom: true, longTiers: [], isNew: true };
}

const nameOf = ({ modelId, supplier }: Pick<RoutePrice, "modelId" | "supplier">) => `${modelId} · ${supplier}`;

const profileChoiceOf = ({ routeId, profile: { chosen, byName }, ...route }: RoutePrice) => ({
  id: routeId,
  name: nameOf(route),
  names: profileNames(),
  chosen,
  byName: byName === GENERAL.name ? null : byName,
});

/** Parts of a price that the form neither shows nor changes. */
const limitsOf = ({ price }: RoutePrice) => ({
  hasLongRoom: hasRoom(price?.parts.long_context?.length ?? 0),
  longTiers: SERVICE_TIERS.filter((tier) => price?.parts.tiers?.[tier]?.long_context !== undefined),
});

export default function AdminModels({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("adminModels");
  const filters = useFilters(CATALOGUE_FILTERS, view);
  return (
    <>
      <PageHeader
        title={t("title")}
        sub={t("subtitle")}
        actions={
          <>
            {view.tab === "prices" ? <LinkButton to={`${SET_PRICE}/import`}>{t("priceFile.title")}</LinkButton> : null}
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
          count: tab === "list" ? undefined : view.counts[tab],
        }))}
      />
      <FilterBar filters={{ ...filters, kept: { tab: view.tab } }} clear={`${ADMIN_MODELS}?tab=${view.tab}`} />
      {view.snapshot === null ? null : (
        <p className="mb-4 max-w-prose text-ink-2">{t("listPrice.text", view.snapshot)}</p>
      )}
      <Section flush>
        {view.tab === "suppliers" ? (
          <SupplierTable suppliers={view.suppliers} health={view.health} errors={view.errors} />
        ) : null}
        {view.tab === "models" ? <ModelTable models={view.models} /> : null}
        {view.tab === "prices" ? <PriceTable prices={view.prices} /> : null}
        {view.tab === "list" ? <ListPriceTable lines={view.listPrices} /> : null}
        <Pager listed {...usePages(view.next)} />
      </Section>
      {view.suppliers.map((supplier) => (
        <SupplierDialogs key={supplier.id} supplier={supplier} refused={view.refused} />
      ))}
      {view.tab === "suppliers" ? <NewSupplier refused={view.refused} /> : null}
      {view.tab === "prices" ? (
        <SetPrice
          key={view.editing?.values.base ?? "new"}
          suppliers={view.ownSuppliers}
          editing={view.editing}
          refused={view.refused && { ...view.refused, action: undefined }}
        />
      ) : null}
      {view.profile === null ? null : <RouteProfile key={view.profile.id} route={view.profile} />}
    </>
  );
}
