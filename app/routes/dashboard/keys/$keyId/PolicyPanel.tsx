import { useTranslation } from "react-i18next";
import type { ParsedForm } from "~/http/parse-form";
import { Button } from "~/ui/Button";
import { useDocumentFacts } from "~/ui/document-context";
import { FormActions } from "~/ui/form-parts";
import { momentText, wholeText } from "~/ui/format";
import { DetailList, Section } from "~/ui/page-parts";
import { TextField } from "~/ui/TextField";
import { valuesOf } from "../form-values";
import { AccessFields, AdvancedFields, LimitFields } from "../PolicyFields";
import type { KeyPageView } from "./view.server";

export type Refused = Extract<ParsedForm<unknown>, { ok: false }> | null;

/** The settings of a key: a form for those who may change them, a list for the others. */
export function PolicyPanel({ view, refused }: { view: KeyPageView; refused: Refused }) {
  const { t } = useTranslation("keys");
  const { key, choices } = view;
  if (!key.rights.change || key.status === "revoked") {
    return (
      <Section title={t("policy.title")} id="policy" aside={key.rights.change ? null : t("policy.readOnly")}>
        <Settings view={view} />
      </Section>
    );
  }
  const mine = refused !== null && (refused.sent.intent ?? "update") === "update" ? refused : null;
  const values = mine?.sent ?? valuesOf(key);
  const problems = mine?.fields ?? {};
  return (
    <Section title={t("policy.title")} id="policy" aside={key.rights.limits ? null : t("policy.fixed")}>
      <form method="post" className="grid gap-5">
        <input type="hidden" name="intent" value="update" />
        <div className="max-w-note">
          <TextField
            name="name"
            label={t("form.name")}
            defaultValue={values.name ?? ""}
            problem={problems.name}
            maxLength={200}
            autoComplete="off"
            required
          />
        </div>
        {choices === null ? (
          <Settings view={view} />
        ) : (
          <>
            <LimitFields values={values} problems={problems} />
            <details open={mine !== null || key.allowedModels.length > 0 || key.allowedRegions.length > 0}>
              <summary className="mb-3 cursor-pointer font-strong">{t("form.may")}</summary>
              <AccessFields values={values} problems={problems} choices={choices} />
            </details>
            <AdvancedFields values={values} problems={problems} choices={choices} />
          </>
        )}
        <FormActions>
          <Button kind="primary">{t("form.save")}</Button>
        </FormActions>
      </form>
    </Section>
  );
}

function Settings({ view: { key } }: { view: KeyPageView }) {
  const { t } = useTranslation("keys");
  const { language } = useDocumentFacts();
  const { autorouter, ...labels } = key.metadata;
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
