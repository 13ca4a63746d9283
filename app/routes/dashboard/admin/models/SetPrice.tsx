import { useTranslation } from "react-i18next";
import { type AdminSupplier, CAPABILITIES } from "~/domain/catalogue/shared";
import { Button } from "~/ui/Button";
import { SelectField, TextField } from "~/ui/fields";
import { FormActions, FormStack } from "~/ui/form-parts";
import { PortalForm } from "~/ui/PortalForm";
import { EmptyState, Section } from "~/ui/page-parts";
import { type RefusedValues, usePortalForm } from "~/ui/portal-form";
import { PriceForm } from "./price-form.schema";
import { SET_PRICE } from "./shared";

type Facts = { suppliers: readonly Pick<AdminSupplier, "id" | "name">[]; refused: RefusedValues | null };

/** Says what a supplier of the portal charges for a model, which can be called from then on. */
export function SetPrice({ suppliers, refused }: Facts) {
  const { t } = useTranslation("adminModels");
  if (suppliers.length === 0)
    return (
      <Section title={t("price.title")} id="price">
        <EmptyState title={t("price.nobody")}>{t("price.nobodyText")}</EmptyState>
      </Section>
    );
  return <PriceFields suppliers={suppliers} refused={refused} />;
}

function PriceFields({ suppliers, refused }: Facts) {
  const { t } = useTranslation("adminModels");
  const { t: words } = useTranslation("modelPages");
  const form = usePortalForm({
    id: "set-price",
    action: SET_PRICE,
    schema: PriceForm,
    labels: {
      supplier_id: t("col.supplier"),
      model: t("col.model"),
      upstream_model: t("price.upstream"),
      capability: t("col.capability"),
      context_tokens: t("col.context"),
      max_output_tokens: t("col.output"),
      input_per_mtok: words("price.inputPerMtok"),
      output_per_mtok: words("price.outputPerMtok"),
      cached_input_per_mtok: words("price.cachedInputPerMtok"),
      cache_write_per_mtok: words("price.cacheWritePerMtok"),
      per_request: t("price.perRequest"),
      per_second: t("price.perSecond"),
      per_mchar: words("price.perMchar"),
      from: t("price.from"),
    },
    values: { supplier_id: String(suppliers[0]?.id), capability: "chat" },
    refused,
  });
  const amount = (name: Parameters<typeof form.field>[0]) => (
    <TextField {...form.field(name)} inputMode="decimal" autoComplete="off" />
  );
  return (
    <Section title={t("price.title")} aside={t("price.text")} id="price">
      <PortalForm form={form} className="grid gap-4">
        <FormStack wide>
          <SelectField
            {...form.field("supplier_id")}
            options={suppliers.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
          <TextField {...form.field("model")} hint={t("price.modelHint")} maxLength={200} required />
          <TextField {...form.field("upstream_model")} hint={t("price.upstreamHint")} maxLength={200} />
          {amount("input_per_mtok")}
          {amount("output_per_mtok")}
          {amount("cached_input_per_mtok")}
          {amount("cache_write_per_mtok")}
          {amount("per_request")}
          {amount("per_second")}
          {amount("per_mchar")}
          <TextField {...form.field("from")} type="datetime-local" hint={t("price.fromHint")} />
          <SelectField
            {...form.field("capability")}
            hint={t("price.newHint")}
            options={CAPABILITIES.map((value) => ({ value, label: words(`capability.${value}`) }))}
          />
          <TextField {...form.field("context_tokens")} inputMode="numeric" placeholder="131072" />
          <TextField {...form.field("max_output_tokens")} inputMode="numeric" placeholder="16384" />
        </FormStack>
        <FormActions>
          <Button kind="primary">{t("price.save")}</Button>
        </FormActions>
      </PortalForm>
    </Section>
  );
}
