import type { ParseKeys } from "i18next";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { z } from "zod";
import { BUDGET_PERIODS } from "~/domain/accounting/shared";
import {
  AUTOROUTER_CHOICES,
  KEY_SETTINGS,
  type KeySettings,
  type PortalKey,
  type SettingName,
} from "~/domain/keys/shared";
import { OptionalId, OptionalMoment, OptionalRpm, OptionalUsd } from "~/http/body/fields";
import { momentText, wholeText } from "~/ui/format";
import { SelectField, TextArea, TextField } from "~/ui/forms/fields";
import { FormStack } from "~/ui/forms/form-parts";
import type { FormValues, PortalFormState } from "~/ui/forms/portal-form";
import { DetailList } from "~/ui/page-parts";
import { RegionLock } from "~/ui/RegionLock";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { CheckboxList } from "./CheckboxList";
import { boxesOf, labelsOf, MetadataText, momentOf, OriginsText, plainAmount } from "./form-values";

type FormKey = Pick<PortalKey, "name" | "budget" | "project" | keyof KeySettings>;

/** A setting in the portal. */
type FormField = {
  label: ParseKeys<"keys">;
  /** Schema for the value from a browser or a program. */
  schema: z.ZodType;
  /** The form values of a key: a text, or the checked boxes. */
  shown(key: FormKey): string | FormValues;
};

/**
 * The settings in the form of a key, in page order. Budget and project are stored in their own rooms; `autorouter` and
 * `fit_output` are entries of the metadata.
 */
export const KEY_FORM = {
  allowed_models: {
    label: "form.models",
    schema: KEY_SETTINGS.allowed_models.input,
    shown: ({ allowedModels }) => boxesOf("model:", allowedModels),
  },
  allowed_regions: {
    label: "form.regions",
    schema: KEY_SETTINGS.allowed_regions.input,
    shown: ({ allowedRegions }) => boxesOf("region:", allowedRegions),
  },
  budget_limit: {
    label: "form.budget",
    schema: OptionalUsd,
    shown: ({ budget }) => (budget?.limitNanoUsd == null ? "" : plainAmount(budget.limitNanoUsd)),
  },
  budget_period: {
    label: "form.period",
    schema: z.enum(BUDGET_PERIODS),
    shown: ({ budget }) => budget?.period ?? "monthly",
  },
  rate_limit_rpm: {
    label: "form.rpm",
    schema: OptionalRpm,
    shown: ({ rateLimitRpm }) => String(rateLimitRpm ?? ""),
  },
  expires_at: {
    label: "form.expires",
    schema: OptionalMoment.pipe(KEY_SETTINGS.expires_at.input),
    shown: ({ expiresAt }) => (expiresAt === null ? "" : momentOf(new Date(expiresAt))),
  },
  project_id: {
    label: "form.project",
    schema: OptionalId,
    shown: ({ project }) => String(project?.id ?? ""),
  },
  autorouter: {
    label: "form.autorouter",
    schema: z.enum(["", ...AUTOROUTER_CHOICES]),
    shown: ({ metadata }) => metadata.autorouter ?? "",
  },
  fit_output: {
    label: "form.fitOutput",
    schema: z.enum(["", "true"]),
    shown: ({ metadata }) => (metadata.fit_output === "true" ? "true" : ""),
  },
  allowed_origins: {
    label: "form.origins",
    schema: OriginsText,
    shown: ({ allowedOrigins }) => allowedOrigins.join("\n"),
  },
  metadata: {
    label: "form.metadata",
    schema: MetadataText,
    shown: ({ metadata }) => labelsOf(metadata).join("\n"),
  },
} satisfies Record<SettingName, FormField> & Record<string, FormField>;

type FormFields = typeof KEY_FORM;

/** Returns the initial values of a key's form. */
export const valuesOf = (key: FormKey): FormValues => ({
  name: key.name,
  ...Object.fromEntries(
    Object.entries<FormField>(KEY_FORM).flatMap(([name, field]) => {
      const shown = field.shown(key);
      return typeof shown === "string" ? [[name, shown] as const] : Object.entries(shown);
    }),
  ),
});

/** Returns the labels of the fields in a key's form, in page order. */
export function useKeyLabels() {
  const { t } = useTranslation("keys");
  const labels = Object.entries<FormField>(KEY_FORM).map(([name, { label }]) => [name, t(label)]);
  return {
    name: t("form.name"),
    owner: t("form.owner"),
    department_id: t("form.department"),
    kind: t("form.kind"),
    ...(Object.fromEntries(labels) as Record<keyof FormFields, string>),
  };
}

export type KeyFields = PortalFormState<keyof ReturnType<typeof useKeyLabels>>;

export type PolicyChoices = {
  /** `maxCallNanoUsd`: maximum cost of a short request without an output limit. */
  models: { id: string; capability: string; maxCallNanoUsd: bigint }[];
  regions: string[];
  projects: { id: number; name: string }[];
};

type Props = { form: KeyFields; choices: PolicyChoices };

/** Fields for the models and regions that a key may call. */
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

/** Fields for the spending of a key: budget, rate limit and expiry. */
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
        options={BUDGET_PERIODS.map((value) => ({ value, label: t(`form.periods.${value}`) }))}
      />
      <TextField
        {...form.field("rate_limit_rpm")}
        hint={t("form.rpmHint")}
        inputMode="numeric"
        placeholder={String(KEY_SETTINGS.rate_limit_rpm.example)}
        autoComplete="off"
      />
      <TextField {...form.field("expires_at")} type="datetime-local" step="any" hint={t("form.expiresHint")} />
    </FormStack>
  );
}

/** Fields for project, autorouter, origins and labels. */
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
        placeholder={KEY_SETTINGS.allowed_origins.example[0]}
        rows={2}
        spellCheck={false}
      />
      <TextArea {...form.field("metadata")} hint={t("form.metadataHint")} rows={3} spellCheck={false} />
    </FormStack>
  );
}

/** The settings of a key, read-only. */
export function SettingList({ of: key }: { of: PortalKey & { rights: { change: boolean } } }) {
  const { t } = useTranslation("keys");
  const { language } = useDocumentFacts();
  const { autorouter, fit_output } = key.metadata;
  const list = (names: readonly string[], none: string) => (names.length === 0 ? none : names.join(", "));
  return (
    <DetailList
      rows={[
        [t("policy.models"), list(key.allowedModels, t("policy.allModels"))],
        [
          t("policy.regions"),
          <span key="regions">
            {list(key.allowedRegions, t("policy.allRegions"))}{" "}
            {key.allowedRegions.length === 0 ? null : <RegionLock to={key.allowedRegions.join(", ")} />}
          </span>,
        ],
        [t("policy.origins"), list(key.allowedOrigins, t("policy.noOrigins"))],
        [t("policy.rpm"), key.rateLimitRpm === null ? t("list.noLimit") : wholeText(key.rateLimitRpm, language)],
        [t("policy.expires"), key.expiresAt === null ? t("list.never") : momentText(new Date(key.expiresAt), language)],
        [t("policy.project"), key.project?.name ?? t("form.noProject")],
        [
          t("policy.autorouter"),
          autorouter ? t(`form.algorithms.${autorouter as "balanced"}`) : t("form.algorithms.none"),
        ],
        ...(key.rights.change
          ? [
              [
                t("policy.guardrails"),
                <Link key="guardrails" to={`/dashboard/guardrails?key=${key.id}`} className="link">
                  {t("policy.viewGuardrails")}
                </Link>,
              ] as const,
            ]
          : []),
        [t("form.fitOutput"), t(fit_output === "true" ? "form.fit.shorten" : "form.fit.reject")],
        [t("policy.labels"), list(labelsOf(key.metadata), t("policy.none"))],
      ]}
    />
  );
}
