import { useTranslation } from "react-i18next";
import type { PortalFormState } from "~/ui/portal-form";

/** What the fields of a key's form are called, in the order of the page. */
export function useKeyLabels() {
  const { t } = useTranslation("keys");
  return {
    name: t("form.name"),
    owner: t("form.owner"),
    department_id: t("form.department"),
    kind: t("form.kind"),
    allowed_models: t("form.models"),
    allowed_regions: t("form.regions"),
    budget_limit: t("form.budget"),
    budget_period: t("form.period"),
    rate_limit_rpm: t("form.rpm"),
    expires_at: t("form.expires"),
    project_id: t("form.project"),
    autorouter: t("form.autorouter"),
    fit_output: t("form.fitOutput"),
    allowed_origins: t("form.origins"),
    metadata: t("form.metadata"),
  };
}

export type KeyFields = PortalFormState<keyof ReturnType<typeof useKeyLabels>>;
