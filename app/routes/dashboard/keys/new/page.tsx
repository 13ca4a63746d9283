import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { requireRecentProof } from "~/access/actor.server";
import { secretCookie } from "~/access/flash.server";
import { pageAction } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { inTransaction } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { createActorKey, keyChoices } from "~/domain/keys/index.server";
import { Button, LinkButton } from "~/ui/Button";
import { FormActions } from "~/ui/forms/form-parts";
import { FormSummary, PortalForm } from "~/ui/forms/PortalForm";
import { usePortalForm } from "~/ui/forms/portal-form";
import { PageHeader, Section } from "~/ui/page-parts";
import { BudgetWarning } from "../BudgetWarning";
import { Consequences } from "../Consequences";
import { modelsAndRegions } from "../catalogue-choices.server";
import { NEW_KEY, readForm } from "../form-values";
import { NewKeyForm } from "../key-form.schema";
import { createKeyInputOf } from "../key-settings.server";
import { AccessFields, AdvancedFields, LimitFields, useKeyLabels } from "../PolicyFields";
import { emailAdminKey } from "../tell-admin-key.server";
import type { Route } from "./+types/page";
import { IdentityFields } from "./IdentityFields";

export const loader = pageLoader({ allow: "viewer" }, async ({ actor }) => ({
  ...(await keyChoices(db(), actor)),
  ...modelsAndRegions(),
}));

export const action = pageAction({ allow: "member", body: NewKeyForm }, async ({ actor, body, request, context }) => {
  const isAdminKey = body.kind === "admin";
  if (isAdminKey) requireRecentProof(context);
  const { id, publicId, secret, name, created } = await inTransaction(db(), async (tx) => {
    const key = await createActorKey(tx, actor, createKeyInputOf(body));
    if (isAdminKey) await emailAdminKey(tx, { request, context }, actor, { id: key.id, rotated: false });
    return key;
  });
  return {
    to: `/dashboard/keys/${id}`,
    cookies: [secretCookie({ kind: `key:${id}`, secret, label: name, userId: actor.userId })],
    answer: { id, key_id: publicId, key: secret, name, created: created.toISOString() },
  };
});

export default function NewKey({ loaderData: choices, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("keys");
  const form = usePortalForm({
    id: "new-key",
    schema: NewKeyForm,
    labels: useKeyLabels(),
    values: NEW_KEY,
    refused: actionData?.form,
  });
  const [values, setValues] = useState(form.values);
  // Includes text that was typed before the script loaded.
  useEffect(() => {
    const element = document.forms.namedItem("new-key");
    if (element !== null) setValues(readForm(element));
  }, []);
  return (
    <>
      <PageHeader
        title={t("form.newTitle")}
        sub={t("form.newSubtitle")}
        back={{ to: "/dashboard/keys", label: t("title") }}
      />
      <PortalForm
        form={form}
        summary={false}
        onInput={({ currentTarget }) => setValues(readForm(currentTarget))}
        className="grid items-start gap-x-3.5 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]"
      >
        <div className="min-w-0">
          <div className="mb-3.5 empty:hidden">
            <FormSummary form={form} />
          </div>
          <Section title={t("form.what")}>
            <IdentityFields form={form} choices={choices} />
          </Section>
          <Section title={t("form.may")}>
            <AccessFields form={form} choices={choices} />
          </Section>
          <Section title={t("form.limits")}>
            <LimitFields form={form} />
          </Section>
          <Section title={t("form.more")}>
            <AdvancedFields form={form} choices={choices} />
          </Section>
        </div>
        <div className="min-w-0 lg:sticky lg:top-4">
          {/* Above the content that changes during typing: a button that moves under the pointer would lose the
              click. */}
          <div className="mb-3.5">
            <FormActions>
              <Button kind="primary">{t("form.submit")}</Button>
              <LinkButton to={href("/dashboard/keys")}>{t("form.cancel")}</LinkButton>
            </FormActions>
          </div>
          <Section title={t("form.consequences")}>
            <div className="grid gap-4">
              <Consequences values={values} />
              <BudgetWarning values={values} models={choices.models} />
            </div>
          </Section>
        </div>
      </PortalForm>
    </>
  );
}
