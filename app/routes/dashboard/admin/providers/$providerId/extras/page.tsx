import { useTranslation } from "react-i18next";
import { z } from "zod";
import { requireRecentProof } from "~/access/actor.server";
import { pageAction } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { authorOf } from "~/domain/accounts/shared";
import { readExtraNames, readRefusals, setExtra } from "~/domain/catalogue/index.server";
import { EXTRA_PLACES, type ExtraNames, type ExtraPlace } from "~/domain/catalogue/shared";
import { Id } from "~/http/body/fields";
import { Button } from "~/ui/Button";
import { SelectField, TextField } from "~/ui/forms/fields";
import { FormActions, FormProblem, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge, EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { Hidden } from "../../../Hidden";
import { ADMIN_MODELS, NEW_SUPPLIER, SourceBadge } from "../../../models/shared";
import type { Route } from "./+types/page";
import { ExtraForm } from "./extra-form.schema";
import { RefusalTable } from "./RefusalTable";

const Params = z.object({ providerId: Id });

/**
 * Names of a supplier's additional headers and parameters, whose values are never shown, and the request fields that it
 * has rejected.
 */
export const loader = pageLoader({ allow: "platform_admin", params: Params }, async ({ params }) => {
  const view = await readExtraNames(db(), params.providerId);
  return { ...view, refusals: await readRefusals(db(), view.name) };
});

/** Sets or removes an additional header or parameter. */
export const action = pageAction(
  { allow: "platform_admin", params: Params, body: ExtraForm },
  async ({ actor, params, body, context }) => {
    requireRecentProof(context);
    await setExtra(db(), authorOf(actor), params.providerId, body);
    const to = `${NEW_SUPPLIER}/${params.providerId}/extras`;
    return { to, toast: `adminModels:extras.${body.value === null ? "removed" : "saved"}`, answer: {} };
  },
);

export default function SupplierExtras({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("adminModels");
  const { name, baseUrl, source, extras, refusals } = view;
  const refused = actionData?.form ?? null;
  return (
    <>
      <PageHeader
        back={{ to: ADMIN_MODELS, label: t("title") }}
        title={t("extras.title", { name })}
        sub={baseUrl}
        tags={<SourceBadge source={source} />}
      />
      <p className="mb-4 max-w-prose text-ink-2">{t(source === "portal" ? "extras.text" : "extras.ofFile")}</p>
      {extras.isLost ? <FormProblem text={t("extras.lost")} /> : null}
      <Section flush>
        <ExtraTable extras={extras} canChange={source === "portal"} />
      </Section>
      {source === "portal" ? <NewExtra refused={refused} /> : null}
      <Section title={t("extras.refused.title")} id="refused" flush>
        <p className="max-w-prose px-4 py-3 text-ink-2">{t("extras.refused.text")}</p>
        <RefusalTable refusals={refusals} />
      </Section>
    </>
  );
}

type Extra = { place: ExtraPlace; name: string };

function ExtraTable({ extras, canChange }: { extras: ExtraNames; canChange: boolean }) {
  const { t } = useTranslation("adminModels");
  const rows: Extra[] = [
    ...extras.headers.map((name) => ({ place: "header" as const, name })),
    ...extras.query.map((name) => ({ place: "query" as const, name })),
    ...(extras.keyHeader === null ? [] : [{ place: "key_header" as const, name: extras.keyHeader }]),
  ];
  const columns: Column<Extra>[] = [
    { id: "name", header: t("form.name"), wrap: true, cell: ({ name }) => <span className="mono">{name}</span> },
    { id: "place", header: t("extras.place"), cell: ({ place }) => t(`extras.in.${place}`) },
    {
      id: "value",
      header: t("extras.value"),
      cell: ({ place }) =>
        place === "key_header" ? t("extras.theKey") : <Badge kind="plain">{t("extras.hidden")}</Badge>,
    },
    {
      id: "acts",
      header: <Hidden>{t("col.acts")}</Hidden>,
      align: "end",
      cell: ({ place, name }) => (canChange ? <RemoveExtra place={place} name={name} /> : null),
    },
  ];
  return (
    <DataTable
      name="supplier-extras"
      caption={t("extras.column")}
      columns={columns}
      rows={rows}
      rowKey={({ place, name }) => `${place} ${name}`}
      empty={<EmptyState title={t("extras.nothing")}>{t("extras.nothingText")}</EmptyState>}
    />
  );
}

/** One form per row, so that it works without script. */
function RemoveExtra({ place, name }: Extra) {
  const { t } = useTranslation("adminModels");
  return (
    <form method="post">
      <input type="hidden" name="act" value="remove" />
      <input type="hidden" name="in" value={place} />
      <input type="hidden" name="name" value={name} />
      <Button small>
        {t("extras.remove")}
        <Hidden> {name}</Hidden>
      </Button>
    </form>
  );
}

function NewExtra({ refused }: { refused: RefusedValues | null }) {
  const { t } = useTranslation("adminModels");
  const form = usePortalForm({
    id: "extra",
    schema: ExtraForm,
    labels: { in: t("extras.place"), name: t("form.name"), value: t("extras.value") },
    values: { in: "header" },
    refused,
  });
  return (
    <Section title={t("extras.add")} id="add">
      <PortalForm form={form} className="grid gap-4">
        <FormStack wide>
          <SelectField
            {...form.field("in")}
            options={EXTRA_PLACES.map((value) => ({ value, label: t(`extras.in.${value}`) }))}
          />
          <TextField {...form.field("name")} hint={t("extras.nameHint")} maxLength={100} required autoComplete="off" />
          <TextField
            {...form.field("value")}
            hint={t("extras.valueHint")}
            type="password"
            maxLength={4_000}
            autoComplete="off"
          />
        </FormStack>
        <FormActions>
          <Button kind="primary">{t("act.save")}</Button>
        </FormActions>
      </PortalForm>
    </Section>
  );
}
