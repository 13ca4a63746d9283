import { useTranslation } from "react-i18next";
import { AUTOROUTER_ALGORITHMS } from "~/domain/routing/shared";
import { SelectField, TextArea } from "~/ui/fields";
import { FormStack } from "~/ui/form-parts";
import { TextField } from "~/ui/TextField";
import { CheckboxList } from "./CheckboxList";
import type { FormValues } from "./form-values";

export type PolicyChoices = {
  models: { id: string; capability: string }[];
  regions: string[];
  projects: { id: number; name: string }[];
};

type Props = { values: FormValues; problems: Readonly<Record<string, string>>; choices: PolicyChoices };

/** What a key may call: models and regions. */
export function AccessFields({ values, problems, choices }: Props) {
  const { t } = useTranslation("keys");
  return (
    <div className="grid gap-5">
      <CheckboxList
        legend={t("form.models")}
        hint={t("form.modelsHint")}
        prefix="model:"
        entries={choices.models.map(({ id, capability }) => ({ value: id, note: capability }))}
        values={values}
        problem={problems.allowed_models}
      >
        <TextField
          name="allowed_models"
          label={t("form.otherModels")}
          hint={t("form.otherModelsHint")}
          defaultValue={values.allowed_models ?? ""}
          autoComplete="off"
        />
      </CheckboxList>
      <CheckboxList
        legend={t("form.regions")}
        hint={t("form.regionsHint")}
        prefix="region:"
        entries={choices.regions.map((value) => ({ value }))}
        values={values}
        problem={problems.allowed_regions}
      >
        <input type="hidden" name="allowed_regions" value="" />
      </CheckboxList>
    </div>
  );
}

/** What a key may spend: budget, rate, and for how long. */
export function LimitFields({ values, problems }: Omit<Props, "choices">) {
  const { t } = useTranslation("keys");
  return (
    <FormStack wide>
      <TextField
        name="budget_limit"
        label={t("form.budget")}
        hint={t("form.budgetHint")}
        inputMode="decimal"
        placeholder="25"
        autoComplete="off"
        defaultValue={values.budget_limit ?? ""}
        problem={problems.budget_limit}
      />
      <SelectField
        name="budget_period"
        label={t("form.period")}
        defaultValue={values.budget_period ?? "monthly"}
        options={(["daily", "monthly", "rolling"] as const).map((value) => ({
          value,
          label: t(`form.periods.${value}`),
        }))}
        problem={problems.budget_period}
      />
      <TextField
        name="rate_limit_rpm"
        label={t("form.rpm")}
        hint={t("form.rpmHint")}
        inputMode="numeric"
        placeholder="60"
        autoComplete="off"
        defaultValue={values.rate_limit_rpm ?? ""}
        problem={problems.rate_limit_rpm}
      />
      <TextField
        name="expires_at"
        type="datetime-local"
        label={t("form.expires")}
        hint={t("form.expiresHint")}
        defaultValue={values.expires_at ?? ""}
        problem={problems.expires_at}
      />
    </FormStack>
  );
}

/** Project, autorouter and labels. */
export function AdvancedFields({ values, problems, choices }: Props) {
  const { t } = useTranslation("keys");
  return (
    <FormStack wide>
      {choices.projects.length > 0 || values.project_id ? (
        <SelectField
          name="project_id"
          label={t("form.project")}
          defaultValue={values.project_id ?? ""}
          options={[
            { value: "", label: t("form.noProject") },
            ...choices.projects.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          problem={problems.project_id}
        />
      ) : null}
      <SelectField
        name="autorouter"
        label={t("form.autorouter")}
        hint={t("form.autorouterHint")}
        defaultValue={values.autorouter ?? ""}
        options={[
          { value: "", label: t("form.algorithms.none") },
          ...AUTOROUTER_ALGORITHMS.map((value) => ({ value, label: t(`form.algorithms.${value}`) })),
        ]}
        problem={problems.autorouter}
      />
      <TextArea
        name="metadata"
        label={t("form.metadata")}
        hint={t("form.metadataHint")}
        rows={3}
        spellCheck={false}
        defaultValue={values.metadata ?? ""}
        problem={problems.metadata}
      />
    </FormStack>
  );
}
