import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { SelectField } from "~/ui/forms/fields";
import { BulkBar } from "~/ui/lists/selection";

export const PEOPLE_BULK = "people-bulk";

type Props = {
  /** Departments that the people can be moved to; empty: the reader cannot move them. */
  departments: readonly { id: number; name: string }[];
};

/** The acts on selected people. */
export function PeopleBulk({ departments }: Props) {
  const { t } = useTranslation(["ui", "admin"]);
  const act = <Intent extends "suspend" | "reinstate" | "move">(intent: Intent) => ({
    intent,
    label: t(`list.people.${intent}`),
    confirm: t(`list.people.${intent}`),
    consequences: t(`list.people.${intent}Text`),
  });
  const move = {
    ...act("move"),
    children: (
      <SelectField
        form={PEOPLE_BULK}
        name="department_id"
        id={`${PEOPLE_BULK}-department`}
        label={t("admin:people.col.department")}
        options={[
          { value: "", label: t("admin:people.filter.noDepartment") },
          ...departments.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
    ),
  };
  return (
    <BulkBar
      form={PEOPLE_BULK}
      action={href("/dashboard/admin/users/bulk")}
      file="/dashboard/admin/users/export"
      acts={[
        { ...act("suspend"), kind: "danger" as const },
        act("reinstate"),
        ...(departments.length > 0 ? [move] : []),
      ]}
    />
  );
}
