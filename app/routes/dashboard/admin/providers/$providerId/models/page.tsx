import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { pageAnswer } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { Id } from "~/http/body/fields";
import { Button } from "~/ui/Button";
import { Count, Money } from "~/ui/Figures";
import { FormProblem } from "~/ui/forms/form-parts";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import type { PageHandle } from "~/ui/page-handle";
import { Badge, EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { parseUsd } from "~/values/money";
import { Hidden } from "../../../Hidden";
import { ADMIN_MODELS, newPriceAddress } from "../../../models/shared";
import type { Route } from "./+types/page";
import { ImportForm } from "./import-form.schema";
import { importOffered, readOffer, testSupplier } from "./offer.server";

export const handle: PageHandle = { hydrate: false };

const Params = z.object({ providerId: Id });

/** Makes no call: only the forms call the supplier. */
export const loader = pageLoader({ allow: "platform_admin", params: Params }, async ({ params }) => {
  const { supplier, isManagedHere } = await readOffer(params.providerId);
  return { id: supplier.id, name: supplier.name, baseUrl: supplier.baseUrl, isManagedHere };
});

/** Asks the supplier for its models; serves one of them, or all with a list price. */
export const action = pageAnswer(
  { allow: "platform_admin", params: Params, body: ImportForm },
  async ({ actor, params, body, context }) => {
    if (body.act === "test") return testSupplier(actor, params.providerId);
    requireRecentProof(context);
    return importOffered(actor, params.providerId, body.model);
  },
);

type View = Route.ComponentProps["loaderData"];
type Offer = Awaited<ReturnType<typeof testSupplier>> | Awaited<ReturnType<typeof importOffered>>;

export default function SupplierModels({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("adminModels");
  const offer: Offer | null = actionData?.form === null ? actionData.answer : null;
  const refused = actionData?.form ?? null;
  const isGood = offer?.result === "works";
  return (
    <>
      <PageHeader
        back={{ to: ADMIN_MODELS, label: t("title") }}
        title={t("offer.title", { name: view.name })}
        sub={view.baseUrl || t("builtIn")}
        tags={offer === null ? null : <Badge kind={isGood ? "good" : "bad"}>{t(`offer.${offer.result}`)}</Badge>}
        actions={<TestButton />}
      />
      <FormProblem text={refused?.problem ?? refused?.fields.model} />
      {offer === null ? (
        <p className="mb-4 max-w-prose text-ink-2">{t("offer.askText")}</p>
      ) : (
        <Outcome offer={offer} view={view} />
      )}
    </>
  );
}

function TestButton() {
  const { t } = useTranslation("adminModels");
  return (
    <form method="post">
      <input type="hidden" name="act" value="test" />
      <Button>{t("act.test")}</Button>
    </form>
  );
}

function Outcome({ offer, view }: { offer: Offer; view: View }) {
  const { t } = useTranslation("adminModels");
  const { result, importable, imported } = offer;
  return (
    <>
      {imported === null ? null : (
        <p role="status" className="mb-4 max-w-prose rounded-lg border border-line px-3.5 py-2.5">
          {t("done.imported", { count: imported.added, known: imported.known, left: imported.left_out })}
        </p>
      )}
      <p className="mb-4 max-w-prose text-ink-2">
        {result === "works"
          ? t("offer.worksText", { count: offer.offered, ms: offer.ms })
          : t(`offer.${result}Text`, { status: offer.status ?? "–" })}
      </p>
      <Section
        flush
        title={t("tab.models")}
        aside={view.isManagedHere && importable > 0 ? <Import count={importable} /> : null}
      >
        <Offered offer={offer} view={view} />
      </Section>
    </>
  );
}

/** One form per button, so that it works without script. */
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

function Offered({ offer: { models }, view: { id: supplierId, isManagedHere } }: { offer: Offer; view: View }) {
  const { t } = useTranslation("adminModels");
  const { t: tPages } = useTranslation("modelPages");
  const columns: Column<Offer["models"][number]>[] = [
    {
      id: "model",
      header: t("col.model"),
      wrap: true,
      cell: ({ id, name }) => (
        <div className="grid max-w-96 leading-snug">
          <span className="font-strong [overflow-wrap:anywhere]">{id}</span>
          {name === null || name === id ? null : <span className="text-xs text-ink-3">{name}</span>}
        </div>
      ),
    },
    {
      id: "context",
      header: t("col.context"),
      align: "end",
      cell: ({ context_tokens: tokens }) => (tokens === null ? "–" : <Count value={tokens} />),
    },
    {
      id: "input",
      header: tPages("price.inputPerMtok"),
      align: "end",
      cell: ({ price }) => (price === null ? "–" : <Money nano={parseUsd(price.input_per_mtok) ?? 0n} />),
    },
    {
      id: "output",
      header: tPages("price.outputPerMtok"),
      align: "end",
      cell: ({ price }) => (price === null ? "–" : <Money nano={parseUsd(price.output_per_mtok) ?? 0n} />),
    },
    {
      id: "acts",
      header: <Hidden>{t("col.acts")}</Hidden>,
      align: "end",
      cell: ({ id, served, price }) => {
        if (served) return <Badge kind="good">{t("offer.served")}</Badge>;
        if (!isManagedHere) return null;
        if (price !== null) return <Import model={id} />;
        return <Link to={newPriceAddress(supplierId, id)}>{t("price.title")}</Link>;
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
