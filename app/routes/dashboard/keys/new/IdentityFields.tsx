import { useTranslation } from "react-i18next";
import type { KeyChoices } from "~/domain/keys/index.server";
import { RadioGroup, SelectField, TextField } from "~/ui/forms/fields";
import { FormStack } from "~/ui/forms/form-parts";
import type { KeyFields } from "../PolicyFields";

type Props = { form: KeyFields; choices: KeyChoices };

/** Name, kind and owner of a new key. */
export function IdentityFields({ form, choices }: Props) {
  const { t } = useTranslation("keys");
  const name = form.field("name");
  return (
    <FormStack wide>
      <TextField
        {...name}
        hint={t("form.nameHint")}
        maxLength={200}
        autoComplete="off"
        required
        autoFocus={name.autoFocus ?? form.summary.entries.length === 0}
      />
      {choices.others ? <OwnerField form={form} choices={choices} /> : null}
      {choices.adminKeys ? (
        <RadioGroup
          {...form.field("kind")}
          hint={t("form.kindHint")}
          options={[
            { value: "inference", label: t("form.kindInference") },
            { value: "admin", label: t("form.kindAdmin") },
          ]}
        />
      ) : null}
    </FormStack>
  );
}

function OwnerField({ form, choices }: Props) {
  const { t } = useTranslation("keys");
  return (
    <>
      <SelectField
        {...form.field("owner")}
        hint={t("form.ownerHint")}
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
          {...form.field("department_id")}
          options={[
            { value: "", label: t("form.noDepartment") },
            ...choices.departments.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
      ) : null}
    </>
  );
}
