import { useTranslation } from "react-i18next";
import { AUTOROUTER_CHOICES } from "~/domain/keys/shared";
import { SelectField, TextArea, TextField } from "~/ui/fields";
import { FormStack } from "~/ui/form-parts";
import { CheckboxList } from "./CheckboxList";
import type { KeyFields } from "./key-labels";

export type PolicyChoices = {
  /** `maxCallNanoUsd`: what a short request without an output ceiling can cost. */
  models: { id: string; capability: string; maxCallNanoUsd: bigint }[];
  regions: string[];
  projects: { id: number; name: string }[];
};

type Props = { form: KeyFields; choices: PolicyChoices };

/** What a key may call: models and regions. */
export function AccessFields({ form, choices }: Props) {
  const { t } = useTranslation("keys");
  const models = form.field("allowed_models");
  const regions = form.field("allowed_regions");
  return (
    <div className="grid gap-5">
      <CheckboxList
        id={models.id}
        legend={models.label}
        hint={t("form.modelsHint")}
        prefix="model:"
        entries={choices.models.map(({ id, capability }) => ({ value: id, note: capability }))}
        values={form.values}
        problem={models.problem}
      >
        <TextField
          {...models}
          id={`${models.id}-others`}
          label={t("form.otherModels")}
          hint={t("form.otherModelsHint")}
          problem={undefined}
          autoComplete="off"
        />
      </CheckboxList>
      <CheckboxList
        id={regions.id}
        legend={regions.label}
        hint={t("form.regionsHint")}
        prefix="region:"
        entries={choices.regions.map((value) => ({ value }))}
        values={form.values}
        problem={regions.problem}
      >
        <input type="hidden" name="allowed_regions" value="" />
      </CheckboxList>
    </div>
  );
}

/** What a key may spend: budget, rate, and for how long. */
export function LimitFields({ form }: Pick<Props, "form">) {
  const { t } = useTranslation("keys");
  return (
    <FormStack wide>
      <TextField
        {...form.field("budget_limit")}
        hint={t("form.budgetHint")}
        inputMode="decimal"
        placeholder="25"
        autoComplete="off"
      />
      <SelectField
        {...form.field("budget_period")}
        options={(["daily", "monthly", "rolling"] as const).map((value) => ({
          value,
          label: t(`form.periods.${value}`),
        }))}
      />
      <TextField
        {...form.field("rate_limit_rpm")}
        hint={t("form.rpmHint")}
        inputMode="numeric"
        placeholder="60"
        autoComplete="off"
      />
      <TextField {...form.field("expires_at")} type="datetime-local" step="any" hint={t("form.expiresHint")} />
    </FormStack>
  );
}

/** Project, autorouter, sites and labels. */
export function AdvancedFields({ form, choices }: Props) {
  const { t } = useTranslation("keys");
  return (
    <FormStack wide>
      {choices.projects.length > 0 || form.values.project_id ? (
        <SelectField
          {...form.field("project_id")}
          options={[
            { value: "", label: t("form.noProject") },
            ...choices.projects.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
      ) : null}
      <SelectField
        {...form.field("autorouter")}
        hint={t("form.autorouterHint")}
        options={[
          { value: "", label: t("form.algorithms.none") },
          ...AUTOROUTER_CHOICES.map((value) => ({ value, label: t(`form.algorithms.${value}`) })),
        ]}
      />
      <SelectField
        {...form.field("fit_output")}
        hint={t("form.fitHint")}
        options={[
          { value: "", label: t("form.fit.reject") },
          { value: "true", label: t("form.fit.shorten") },
        ]}
      />
      <TextArea
        {...form.field("allowed_origins")}
        hint={t("form.originsHint")}
        placeholder="https://app.example.com"
        rows={2}
        spellCheck={false}
      />
      <TextArea {...form.field("metadata")} hint={t("form.metadataHint")} rows={3} spellCheck={false} />
    </FormStack>
  );
}
