import { useTranslation } from "react-i18next";
import type { OrphanedAccess } from "~/domain/people/index.server";
import { CheckboxField } from "~/ui/forms/fields";
import type { FormValues } from "~/ui/forms/portal-form";

/**
 * Asks whether to revoke admin keys whose secret the person knows; checked by default. Renders nothing if there are
 * none. The hidden field sends "false" for an unchecked box, because the first value of a repeated name counts.
 */
export function RevokeAdminKeysField({
  of: { adminKeys },
  form,
  values = { revoke_admin_keys: "true" },
}: {
  of: OrphanedAccess;
  form: string;
  values?: FormValues;
}) {
  const { t } = useTranslation("admin");
  const { count, names } = adminKeys;
  if (count === 0) return null;
  const listed = names.length < count && names.length > 0 ? [...names, "…"] : names;
  return (
    <div>
      <CheckboxField
        id={`${form}-revoke-admin-keys`}
        name="revoke_admin_keys"
        value="true"
        defaultChecked={values.revoke_admin_keys === "true"}
        label={t("person.leftBehind.revoke", { count })}
        hint={
          <>
            {listed.length === 0 ? null : <span className="block wrap-anywhere">{listed.join(", ")}</span>}
            {t("person.leftBehind.why")}
          </>
        }
      />
      <input type="hidden" name="revoke_admin_keys" value="false" />
    </div>
  );
}
