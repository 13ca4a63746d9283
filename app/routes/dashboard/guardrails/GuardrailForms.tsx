import { useTranslation } from "react-i18next";
import { href } from "react-router";
import {
  GUARDRAIL_ACTIONS,
  GUARDRAIL_KINDS,
  GUARDRAIL_SIDES,
  MAX_PATTERN_LENGTH,
  MAX_WORDS,
  PERSONAL_DATA,
} from "~/domain/guardrails/shared";
import { Button } from "~/ui/Button";
import { CheckboxField, RadioGroup, SelectField, TextArea, TextField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import { Section } from "~/ui/page-parts";
import { GuardrailForm, GuardrailTestForm } from "./guardrail-form.schema";
import type { HolderView } from "./holder.server";

type View = Pick<HolderView, "holder" | "webhook" | "inheritsWebhook"> & { refused: RefusedValues | null };

const Holder = ({ view: { holder } }: { view: View }) => (
  <input type="hidden" name={holder.kind === "key" ? "key_id" : "org_id"} value={holder.id} />
);

/** Adds a guardrail. All kinds share one form, so that it works without script. */
export function AddForm({ view }: { view: View }) {
  const { t } = useTranslation("guardrails");
  const form = usePortalForm({
    id: "add",
    action: href("/dashboard/guardrails/add"),
    schema: GuardrailForm,
    labels: {
      name: t("col.name"),
      kind: t("col.kind"),
      text: t("field.text"),
      ...(Object.fromEntries(PERSONAL_DATA.map((data) => [data, t(`data.${data}`)])) as Record<
        (typeof PERSONAL_DATA)[number],
        string
      >),
      on: t("col.on"),
      action: t("col.action"),
    },
    values: { kind: "words", on: "both", action: "redact" },
    refused: view.refused,
  });
  const { defaultValue: kind, ...kindField } = form.field("kind");
  const { defaultValue: action, ...actionField } = form.field("action");
  return (
    <Section title={t("add.title")} id="add-guardrail">
      <PortalForm form={form} className="grid gap-4">
        <p className="max-w-prose text-ink-2">{t("add.text")}</p>
        <Holder view={view} />
        <FormStack>
          <TextField {...form.field("name")} maxLength={60} hint={t("field.nameHint")} required />
          <RadioGroup
            {...kindField}
            defaultValue={kind}
            options={GUARDRAIL_KINDS.map((value) => ({
              value,
              label: t(`kind.${value}`),
              hint: t(`kindHint.${value}`),
            }))}
          />
          <TextArea
            {...form.field("text")}
            rows={4}
            hint={t("field.textHint", { words: MAX_WORDS, pattern: MAX_PATTERN_LENGTH })}
            spellCheck={false}
          />
          <fieldset className="grid gap-2">
            <legend className="mb-1.5 font-strong">{t("kind.personal")}</legend>
            {PERSONAL_DATA.map((data) => (
              <CheckboxField key={data} {...form.box(data)} />
            ))}
          </fieldset>
          <SelectField
            {...form.field("on")}
            options={GUARDRAIL_SIDES.map((value) => ({ value, label: t(`on.${value}`) }))}
          />
          <RadioGroup
            {...actionField}
            defaultValue={action}
            options={GUARDRAIL_ACTIONS.map((value) => ({
              value,
              label: t(`action.${value}`),
              hint: t(`actionHint.${value}`),
            }))}
          />
          <FormActions>
            <Button kind="primary">{t("add.submit")}</Button>
          </FormActions>
        </FormStack>
      </PortalForm>
    </Section>
  );
}

/** Tests a text against the guardrails. It is neither sent to a model nor stored. */
export function TestForm({ view }: { view: View }) {
  const { t } = useTranslation("guardrails");
  const form = usePortalForm({
    id: "test",
    action: href("/dashboard/guardrails/test"),
    schema: GuardrailTestForm,
    labels: { sample: t("test.sample"), side: t("test.side"), webhook: t("test.askWebhook") },
    values: { side: "input" },
    refused: view.refused,
  });
  return (
    <Section title={t("test.title")} id="try">
      <PortalForm form={form} className="grid gap-4">
        <p className="max-w-prose text-ink-2">{t("test.text")}</p>
        <Holder view={view} />
        <FormStack>
          <TextArea {...form.field("sample")} rows={4} maxLength={4_000} required />
          <SelectField
            {...form.field("side")}
            options={(["input", "output"] as const).map((value) => ({ value, label: t(`on.${value}`) }))}
          />
          {view.webhook === null && !view.inheritsWebhook ? null : (
            <CheckboxField {...form.box("webhook")} hint={t("test.askWebhookHint")} />
          )}
          <FormActions>
            <Button>{t("test.submit")}</Button>
          </FormActions>
        </FormStack>
      </PortalForm>
    </Section>
  );
}
