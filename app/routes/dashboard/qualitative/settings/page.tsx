import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { z } from "zod";
import { pageAction } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { readOrganisationQuality, setOrganisationQuality } from "~/domain/organisations/index.server";
import { Id, orNothing } from "~/http/body/fields";
import { Button } from "~/ui/Button";
import { SwitchField, TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { usePortalForm } from "~/ui/forms/portal-form";
import type { PageHandle } from "~/ui/page-handle";
import { PageHeader, Section } from "~/ui/page-parts";
import { ownOrganisation } from "../../admin/organisation/own-organisation";
import type { Route } from "./+types/page";
import { QualityForm } from "./quality-form.schema";

export const handle: PageHandle = { hydrate: false };

const PAGE = "/dashboard/qualitative/settings";
const Query = z.object({ org_id: orNothing(Id) });

export const loader = pageLoader({ allow: "org_admin", query: Query }, async ({ actor, query }) => {
  const organisationId = ownOrganisation(actor, query.org_id);
  return { organisationId, ...(await readOrganisationQuality(db(), actor, organisationId)) };
});

export const action = pageAction({ allow: "org_admin", body: QualityForm }, async ({ actor, body }) => {
  const organisationId = ownOrganisation(actor, body.org_id);
  await setOrganisationQuality(db(), actor, organisationId, {
    qualityOptIn: body.opt_in,
    qualityMinimum: body.minimum,
  });
  return {
    to: body.org_id === undefined ? PAGE : `${PAGE}?org_id=${organisationId}`,
    toast: "quality:settings.saved",
    answer: { org_id: organisationId, opt_in: body.opt_in, minimum: body.minimum },
  };
});

export default function QualitySettings({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("quality");
  const form = usePortalForm({
    id: "quality",
    action: PAGE,
    schema: QualityForm,
    labels: { opt_in: t("settings.optIn"), minimum: t("settings.minimum") },
    values: { opt_in: view.qualityOptIn ? "on" : "", minimum: String(view.qualityMinimum) },
    refused: actionData?.form,
  });
  return (
    <>
      <PageHeader
        title={t("settings.title")}
        sub={view.name}
        back={{ to: href("/dashboard/qualitative"), label: t("title") }}
      />
      <Section title={t("settings.heading")}>
        <PortalForm form={form} className="grid gap-4">
          <input type="hidden" name="org_id" value={view.organisationId} />
          <FormStack>
            <SwitchField {...form.box("opt_in")} hint={t("settings.optInHint")} />
            <TextField
              {...form.field("minimum")}
              hint={t("settings.minimumHint")}
              type="number"
              min={5}
              max={10_000}
              required
            />
            <FormActions>
              <Button kind="primary">{t("settings.save")}</Button>
            </FormActions>
          </FormStack>
        </PortalForm>
      </Section>
    </>
  );
}
