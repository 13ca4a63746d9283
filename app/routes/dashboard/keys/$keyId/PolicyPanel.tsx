import { useTranslation } from "react-i18next";
import type { RefusedHere } from "~/access/portal/page-action.server";
import { Button } from "~/ui/Button";
import { useDocumentFacts } from "~/ui/document-context";
import { TextField } from "~/ui/fields";
import { FormActions } from "~/ui/form-parts";
import { momentText, wholeText } from "~/ui/format";
import { PortalForm } from "~/ui/PortalForm";
import { DetailList, Section } from "~/ui/page-parts";
import { usePortalForm } from "~/ui/portal-form";
import { BudgetWarning } from "../BudgetWarning";
import { valuesOf } from "../form-values";
import { KeyActionForm } from "../key-form.schema";
import { useKeyLabels } from "../key-labels";
import { AccessFields, AdvancedFields, LimitFields } from "../PolicyFields";
import type { KeyPageView } from "./view.server";

/** The settings of a key: a form for those who may change them, a list for the others. */
export function PolicyPanel({ view, refused }: { view: KeyPageView; refused: RefusedHere | null }) {
  const { t } = useTranslation("keys");
  const { key } = view;
  if (!key.rights.change || key.status === "revoked") {
    return (
      <Section title={t("policy.title")} id="policy" aside={key.rights.change ? null : t("policy.readOnly")}>
        <Settings view={view} />
      </Section>
    );
  }
  return (
    <Section title={t("policy.title")} id="policy" aside={key.rights.limits ? null : t("policy.fixed")}>
      <PolicyForm view={view} refused={refused} />
    </Section>
  );
}

function PolicyForm({ view, refused }: { view: KeyPageView; refused: RefusedHere | null }) {
  const { t } = useTranslation("keys");
  const { key, choices } = view;
  const form = usePortalForm({
    id: "policy-form",
    intent: "update",
    schema: KeyActionForm,
    labels: useKeyLabels(),
    values: valuesOf(key),
    refused,
  });
  const isShown = form.summary.entries.length > 0 || key.allowedModels.length > 0 || key.allowedRegions.length > 0;
  return (
    <PortalForm form={form} className="grid gap-5">
      <div className="max-w-note">
        <TextField {...form.field("name")} maxLength={200} autoComplete="off" required />
      </div>
      {choices === null ? (
        <Settings view={view} />
      ) : (
        <>
          <LimitFields form={form} />
          <BudgetWarning values={form.values} models={choices.models} />
          <details open={isShown}>
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

function Settings({ view: { key } }: { view: KeyPageView }) {
  const { t } = useTranslation("keys");
  const { language } = useDocumentFacts();
  const { autorouter, fit_output, ...labels } = key.metadata;
  const list = (names: readonly string[], none: string) => (names.length === 0 ? none : names.join(", "));
  return (
    <DetailList
      rows={[
        [t("policy.models"), list(key.allowedModels, t("policy.allModels"))],
        [t("policy.regions"), list(key.allowedRegions, t("policy.allRegions"))],
        [t("policy.rpm"), key.rateLimitRpm === null ? t("list.noLimit") : wholeText(key.rateLimitRpm, language)],
        [t("policy.expires"), key.expiresAt === null ? t("list.never") : momentText(new Date(key.expiresAt), language)],
        [t("policy.project"), key.project?.name ?? t("form.noProject")],
        [
          t("policy.autorouter"),
          autorouter ? t(`form.algorithms.${autorouter as "balanced"}`) : t("form.algorithms.none"),
        ],
        [t("form.fitOutput"), t(fit_output === "true" ? "form.fit.shorten" : "form.fit.reject")],
        [
          t("policy.labels"),
          list(
            Object.entries(labels).map(([name, value]) => `${name}=${value}`),
            t("policy.none"),
          ),
        ],
      ]}
    />
  );
}
