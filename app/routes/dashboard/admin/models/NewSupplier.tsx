import { useTranslation } from "react-i18next";
import { PORTAL_KINDS } from "~/domain/catalogue/shared";
import { Button } from "~/ui/Button";
import { SelectField, TextArea, TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import { Section } from "~/ui/page-parts";
import { NEW_SUPPLIER } from "./shared";
import { NewSupplierForm } from "./supplier-form.schema";

const EXTRAS = ["key_header", "headers", "query"] as const;

/** Adds a supplier with its key, which is not shown again. */
export function NewSupplier({ refused }: { refused: RefusedValues | null }) {
  const { t } = useTranslation("adminModels");
  const form = usePortalForm({
    id: "new-supplier",
    action: NEW_SUPPLIER,
    schema: NewSupplierForm,
    labels: {
      name: t("form.name"),
      kind: t("col.kind"),
      base_url: t("form.baseUrl"),
      region: t("col.region"),
      api_key: t("form.apiKey"),
      headers: t("form.headers"),
      query: t("form.query"),
      key_header: t("form.keyHeader"),
    },
    values: { kind: "chat", region: "global" },
    refused,
  });
  return (
    <Section title={t("form.create")} id="create">
      <PortalForm form={form} className="grid gap-4">
        <FormStack wide>
          <TextField {...form.field("name")} hint={t("form.nameHint")} maxLength={63} required />
          <SelectField
            {...form.field("kind")}
            options={PORTAL_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
          />
          <TextField {...form.field("base_url")} hint={t("form.baseUrlHint")} type="url" required />
          <TextField {...form.field("region")} hint={t("form.regionHint")} maxLength={63} />
          <TextField {...form.field("api_key")} hint={t("form.apiKeyHint")} type="password" autoComplete="off" />
        </FormStack>
        <details open={EXTRAS.some((name) => form.values[name] || form.problems[name])}>
          <summary className="cursor-pointer py-1 font-strong">{t("form.more")}</summary>
          <div className="pt-3">
            <FormStack wide>
              <TextField
                {...form.field("key_header")}
                hint={t("form.keyHeaderHint")}
                maxLength={100}
                autoComplete="off"
              />
              <TextArea
                {...form.field("headers")}
                hint={t("form.headersHint")}
                rows={3}
                spellCheck={false}
                autoComplete="off"
              />
              <TextArea
                {...form.field("query")}
                hint={t("form.queryHint")}
                rows={3}
                spellCheck={false}
                autoComplete="off"
              />
            </FormStack>
          </div>
        </details>
        <FormActions>
          <Button kind="primary">{t("form.create")}</Button>
        </FormActions>
      </PortalForm>
    </Section>
  );
}
