import { useTranslation } from "react-i18next";
import { type AdminSupplier, CAPABILITIES } from "~/domain/catalogue/shared";
import { Button, LinkButton } from "~/ui/Button";
import { SelectField, TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type FormValues, type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import { EmptyState, Section } from "~/ui/page-parts";
import { LongPrices, MorePrices, TierPrices } from "./MorePrices";
import { PriceForm } from "./price-form.schema";
import { usePriceLabels } from "./price-labels";
import { ADMIN_MODELS, REVIEW_PRICE } from "./shared";

/** A price that is being changed: the values of its fields, and facts about parts that the form does not show. */
export type EditedPrice = {
  values: FormValues;
  name: string;
  hasLongRoom: boolean;
  longTiers: readonly string[];
  /** The form was filled in before. A new price shows all of its fields again. */
  isNew?: boolean;
};
type Facts = {
  suppliers: readonly Pick<AdminSupplier, "id" | "name">[];
  editing: EditedPrice | null;
  refused: RefusedValues | null;
};

/** Sets a portal supplier's price for a model, which makes the model available. */
export function SetPrice({ suppliers, editing, refused }: Facts) {
  const { t } = useTranslation("adminModels");
  if (suppliers.length === 0)
    return (
      <Section title={t("price.title")} id="price">
        <EmptyState title={t("price.nobody")}>{t("price.nobodyText")}</EmptyState>
      </Section>
    );
  return <PriceFields suppliers={suppliers} editing={editing} refused={refused} />;
}

function PriceFields({ suppliers, editing: filled, refused }: Facts) {
  const { t } = useTranslation("adminModels");
  const { t: tPages } = useTranslation("modelPages");
  const form = usePortalForm({
    id: "set-price",
    action: REVIEW_PRICE,
    schema: PriceForm,
    labels: usePriceLabels(),
    values: filled?.values ?? { supplier_id: String(suppliers[0]?.id), capability: "chat" },
    refused,
  });
  const amount = (name: Parameters<typeof form.field>[0]) => (
    <TextField {...form.field(name)} inputMode="decimal" autoComplete="off" />
  );
  const base = form.values.base ?? "";
  const editing = filled?.isNew ? null : filled;
  return (
    <Section
      title={editing === null ? t("price.title") : t("price.edit", { name: editing.name })}
      aside={t("price.text")}
      id="price"
    >
      <PortalForm form={form} className="grid gap-4">
        <input type="hidden" name="base" value={base} />
        {editing === null ? null : (
          <>
            {(["supplier_id", "model", "upstream_model"] as const).map((name) => (
              <input key={name} type="hidden" name={name} value={editing.values[name] ?? ""} />
            ))}
            {editing.isNew === undefined ? <p className="max-w-prose text-ink-2">{t("price.editText")}</p> : null}
          </>
        )}
        <FormStack wide>
          {editing === null ? (
            <>
              <SelectField
                {...form.field("supplier_id")}
                options={suppliers.map(({ id, name }) => ({ value: String(id), label: name }))}
              />
              <TextField {...form.field("model")} hint={t("price.modelHint")} maxLength={200} required />
              <TextField {...form.field("upstream_model")} hint={t("price.upstreamHint")} maxLength={200} />
            </>
          ) : null}
          {amount("input_per_mtok")}
          {amount("output_per_mtok")}
          {amount("cached_input_per_mtok")}
          {amount("cache_write_per_mtok")}
          {amount("per_request")}
          {amount("per_second")}
          {amount("per_mchar")}
          <TextField {...form.field("from")} type="datetime-local" hint={t("price.fromHint")} />
          {editing === null ? (
            <>
              <SelectField
                {...form.field("capability")}
                hint={t("price.newHint")}
                options={CAPABILITIES.map((value) => ({ value, label: tPages(`capability.${value}`) }))}
              />
              <TextField {...form.field("context_tokens")} inputMode="numeric" placeholder="131072" />
              <TextField {...form.field("max_output_tokens")} inputMode="numeric" placeholder="16384" />
            </>
          ) : null}
        </FormStack>
        <MorePrices form={form} />
        {editing?.hasLongRoom === false ? (
          <p className="text-ink-2">{t("price.longByFile")}</p>
        ) : (
          <LongPrices form={form} />
        )}
        <TierPrices form={form} longTiers={editing?.longTiers ?? []} />
        <FormActions>
          <Button kind="primary">{t("price.review")}</Button>
          {editing === null ? null : <LinkButton to={`${ADMIN_MODELS}?tab=prices`}>{t("price.stop")}</LinkButton>}
        </FormActions>
      </PortalForm>
    </Section>
  );
}
