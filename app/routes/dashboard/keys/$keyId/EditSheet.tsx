import { useTranslation } from "react-i18next";
import type { RefusedHere } from "~/access/portal/page-action.server";
import { Button } from "~/ui/Button";
import { Dialog } from "~/ui/Dialog";
import { TextField } from "~/ui/forms/fields";
import { FormActions } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { usePortalForm } from "~/ui/forms/portal-form";
import { Section } from "~/ui/page-parts";
import { BudgetWarning } from "../BudgetWarning";
import { KeyActionForm } from "../key-form.schema";
import { AccessFields, AdvancedFields, type KeyFields, LimitFields, useKeyLabels, valuesOf } from "../PolicyFields";
import type { KeyPageView } from "./view.server";

/** The form of a key's settings, in a side sheet. If it was rejected or restored, it is on the page itself. */
export function EditSheet({ view, refused }: { view: KeyPageView; refused: RefusedHere | null }) {
  const { t } = useTranslation("keys");
  const form = usePortalForm({
    id: "policy-form",
    intent: "update",
    schema: KeyActionForm,
    labels: useKeyLabels(),
    values: valuesOf(view.key),
    refused,
  });
  const title = t("policy.edit");
  if (refused?.sent.intent === "update" || form.restored) {
    return (
      <Section title={title} id="edit">
        <EditForm form={form} view={view} />
      </Section>
    );
  }
  return (
    <Dialog id="edit" title={title} sheet>
      <EditForm form={form} view={view} />
    </Dialog>
  );
}

function EditForm({ form, view: { choices } }: { form: KeyFields; view: KeyPageView }) {
  const { t } = useTranslation("keys");
  return (
    <PortalForm form={form} className="grid gap-5">
      <TextField {...form.field("name")} maxLength={200} autoComplete="off" required />
      {choices === null ? (
        <p className="text-ink-2">{t("policy.fixed")}</p>
      ) : (
        <>
          <LimitFields form={form} />
          <BudgetWarning values={form.values} models={choices.models} />
          <details open={form.summary.entries.length > 0}>
            <summary className="mb-3 cursor-pointer font-strong">{t("form.may")}</summary>
            <AccessFields form={form} choices={choices} />
          </details>
          <AdvancedFields form={form} choices={choices} />
        </>
      )}
      <FormActions>
        <Button kind="primary">{t("form.save")}</Button>
      </FormActions>
    </PortalForm>
  );
}
