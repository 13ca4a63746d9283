import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { BUDGET_PERIODS } from "~/domain/accounting/shared";
import { SelectField, TextField } from "~/ui/forms/fields";
import { BulkBar } from "~/ui/lists/selection";
import type { KeyListView } from "./list.server";

export const KEY_BULK = "keys-bulk";

/** The acts on selected keys. */
export function KeyBulk({ view: { projects } }: { view: KeyListView }) {
  const { t } = useTranslation(["ui", "keys"]);
  const act = <Intent extends "suspend" | "resume" | "move" | "budget" | "revoke">(intent: Intent) => ({
    intent,
    label: t(`list.keys.${intent}`),
    confirm: t(`list.keys.${intent}`),
    consequences: t(`list.keys.${intent}Text`),
  });
  const field = (name: string) => ({ form: KEY_BULK, name, id: `${KEY_BULK}-${name}` });
  return (
    <BulkBar
      form={KEY_BULK}
      action={href("/dashboard/keys/bulk")}
      file="/dashboard/keys/export"
      acts={[
        act("suspend"),
        act("resume"),
        {
          ...act("move"),
          children: (
            <SelectField
              {...field("project_id")}
              label={t("keys:form.project")}
              options={[
                { value: "", label: t("keys:form.noProject") },
                ...projects.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
            />
          ),
        },
        {
          ...act("budget"),
          children: (
            <>
              <TextField
                {...field("budget_limit")}
                label={t("keys:form.budget")}
                inputMode="decimal"
                placeholder="25"
                autoComplete="off"
              />
              <SelectField
                {...field("budget_period")}
                label={t("keys:form.period")}
                defaultValue="monthly"
                options={BUDGET_PERIODS.map((value) => ({ value, label: t(`keys:form.periods.${value}`) }))}
              />
            </>
          ),
        },
        { ...act("revoke"), kind: "danger" },
      ]}
    />
  );
}
