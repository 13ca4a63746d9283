import { useTranslation } from "react-i18next";
import type { KeyChoices } from "~/domain/keys/index.server";
import { RadioGroup, SelectField } from "~/ui/fields";
import { FormStack } from "~/ui/form-parts";
import { TextField } from "~/ui/TextField";
import type { FormValues } from "../form-values";

type Props = { values: FormValues; problems: Readonly<Record<string, string>>; choices: KeyChoices };

/** Name, kind and owner of a new key. */
export function IdentityFields({ values, problems, choices }: Props) {
  const { t } = useTranslation("keys");
  return (
    <FormStack wide>
      <TextField
        name="name"
        label={t("form.name")}
        hint={t("form.nameHint")}
        defaultValue={values.name ?? ""}
        problem={problems.name}
        maxLength={200}
        autoComplete="off"
        required
        autoFocus
      />
      {choices.others ? <OwnerField values={values} problems={problems} choices={choices} /> : null}
      {choices.adminKeys ? (
        <RadioGroup
          name="kind"
          label={t("form.kind")}
          hint={t("form.kindHint")}
          defaultValue={values.kind ?? "inference"}
          problem={problems.kind}
          options={[
            { value: "inference", label: t("form.kindInference") },
            { value: "admin", label: t("form.kindAdmin") },
          ]}
        />
      ) : null}
    </FormStack>
  );
}

function OwnerField({ values, problems, choices }: Props) {
  const { t } = useTranslation("keys");
  return (
    <>
      <SelectField
        name="owner"
        label={t("form.owner")}
        hint={t("form.ownerHint")}
        defaultValue={values.owner ?? "self"}
        problem={problems.owner}
        options={[
          { value: "self", label: t("form.ownerSelf") },
          { value: "nobody", label: t("form.ownerNobody") },
          ...choices.people.map(({ id, name, email }) => ({
            value: String(id),
            label: name === email ? email : `${name} (${email})`,
          })),
        ]}
      />
      {choices.departments.length > 0 ? (
        <SelectField
          name="department_id"
          label={t("form.department")}
          defaultValue={values.department_id ?? ""}
          problem={problems.department_id}
          options={[
            { value: "", label: t("form.noDepartment") },
            ...choices.departments.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
      ) : null}
    </>
  );
}
