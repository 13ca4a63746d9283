import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { pageAction } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/db.server";
import { importModels } from "~/domain/catalogue/index.server";
import { authorOf } from "~/domain/identity/shared";
import { apiError } from "~/errors/app-error";
import { Id } from "~/http/fields";
import { formatUsd } from "~/money";
import { Button } from "~/ui/Button";
import { type Column, DataTable } from "~/ui/DataTable";
import { Count } from "~/ui/Figures";
import { FormProblem } from "~/ui/form-parts";
import type { PageHandle } from "~/ui/page-handle";
import { Badge, EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { Hidden } from "../../../Hidden";
import { ADMIN_MODELS, NEW_SUPPLIER } from "../../../models/shared";
import type { Route } from "./+types/page";
import { ImportForm } from "./import-form.schema";
import { readOffer } from "./offer.server";

export const handle: PageHandle = { hydrate: false };

const Params = z.object({ providerId: Id });

export const loader = pageLoader({ allow: "platform_admin", params: Params }, async ({ params }) => {
  const { models, ...offer } = await readOffer(db(), params.providerId);
  return {
    ...offer,
    importable: models.filter(({ price, isServed }) => price !== null && !isServed).length,
    models: models.map(({ price, ...model }) => ({
      ...model,
      price:
        price === null ? null : [price.price.input_per_mtok ?? 0n, price.price.output_per_mtok ?? 0n].map(formatUsd),
    })),
  };
});

/** Serves models of the supplier's own list at their list prices: one, or all that have one. */
export const action = pageAction(
  { allow: "platform_admin", params: Params, body: ImportForm },
  async ({ actor, params, body, context }) => {
    requireRecentProof(context);
    const { models, offered, isManagedHere } = await readOffer(db(), params.providerId);
    if (!isManagedHere) throw apiError("conflict", { key: "rejections:supplierOfConfig" });
    const wanted = models.filter(({ id }) => body.model === undefined || id === body.model);
    const priced = wanted.flatMap(({ id, price }) => (price === null ? [] : [{ ...price, id }]));
    if (priced.length === 0) throw apiError("conflict", { key: "rejections:nothingToImport" });
    const leftOut = body.model === undefined ? offered - priced.length : 0;
    const { added, known } = await importModels(db(), authorOf(actor), {
      supplierId: params.providerId,
      models: priced,
      leftOut,
    });
    return {
      to: `${NEW_SUPPLIER}/${params.providerId}/models`,
      toast: {
        kind: "good",
        text: "adminModels:done.imported",
        values: { count: added.length, known: known.length, left: leftOut },
      },
      answer: { models: added, added: added.length, known: known.length, left_out: leftOut },
    };
  },
);

type View = Route.ComponentProps["loaderData"];

export default function SupplierModels({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("adminModels");
  const { supplier, test, importable } = view;
  const isGood = test.result === "works";
  return (
    <>
      <PageHeader
        back={{ to: ADMIN_MODELS, label: t("title") }}
        title={t("offer.title", { name: supplier.name })}
        sub={supplier.baseUrl || t("builtIn")}
        tags={<Badge kind={isGood ? "good" : "bad"}>{t(`offer.${test.result}`)}</Badge>}
      />
      <FormProblem text={actionData?.form?.problem ?? actionData?.form?.fields.model} />
      <p className="mb-4 max-w-prose text-ink-2">
        {isGood
          ? t("offer.worksText", { count: view.offered, ms: test.ms })
          : t(`offer.${test.result}Text`, { status: test.status ?? "–" })}
      </p>
      <Section
        flush
        title={t("tab.models")}
        aside={view.isManagedHere && importable > 0 ? <Import count={importable} /> : null}
      >
        <Offered view={view} />
      </Section>
    </>
  );
}

/** A form of its own for each button, so that it works without script. */
function Import({ model, count }: { model?: string; count?: number }) {
  const { t } = useTranslation("adminModels");
  return (
    <form method="post">
      {model === undefined ? null : <input type="hidden" name="model" value={model} />}
      <Button small kind={model === undefined ? "primary" : undefined}>
        {model === undefined ? t("offer.importAll", { count }) : t("offer.import")}
        {model === undefined ? null : <Hidden> {model}</Hidden>}
      </Button>
    </form>
  );
}

function Offered({ view: { models, isManagedHere } }: { view: View }) {
  const { t } = useTranslation("adminModels");
  const { t: words } = useTranslation("modelPages");
  const columns: Column<View["models"][number]>[] = [
    {
      ...{ id: "model", header: t("col.model"), wrap: true },
      cell: ({ id, name }) => (
        <div className="grid max-w-96 leading-snug">
          <span className="font-strong [overflow-wrap:anywhere]">{id}</span>
          {name === null || name === id ? null : <span className="text-xs text-ink-3">{name}</span>}
        </div>
      ),
    },
    {
      ...{ id: "context", header: t("col.context"), align: "end" },
      cell: ({ contextTokens }) => (contextTokens === null ? "–" : <Count value={contextTokens} />),
    },
    {
      ...{ id: "input", header: words("price.inputPerMtok"), align: "end" },
      cell: ({ price }) => (price === null ? "–" : `$${price[0]}`),
    },
    {
      ...{ id: "output", header: words("price.outputPerMtok"), align: "end" },
      cell: ({ price }) => (price === null ? "–" : `$${price[1]}`),
    },
    {
      ...{ id: "acts", header: <Hidden>{t("col.acts")}</Hidden>, align: "end" },
      cell: ({ id, isServed, price }) => {
        if (isServed) return <Badge kind="good">{t("offer.served")}</Badge>;
        if (!isManagedHere) return null;
        if (price !== null) return <Import model={id} />;
        return <Link to={`${ADMIN_MODELS}?tab=prices#price`}>{t("price.title")}</Link>;
      },
    },
  ];
  return (
    <DataTable
      name="supplier-models"
      caption={t("tab.models")}
      columns={columns}
      rows={models}
      rowKey={({ id }) => id}
      empty={<EmptyState title={t("offer.nothing")}>{t("offer.nothingText")}</EmptyState>}
    />
  );
}
