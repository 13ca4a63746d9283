import { useTranslation } from "react-i18next";
import { Button } from "~/ui/Button";
import { SelectField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { Section } from "~/ui/page-parts";
import { SET_PRICE } from "./shared";

type ProfiledRoute = {
  id: number;
  name: string;
  chosen: string | null;
  /** Profile in effect without a choice; null: no profile matches the name. */
  byName: string | null;
  names: readonly string[];
};

/** Sets the profile of a supplier's model whose upstream name does not identify it. */
export function RouteProfile({ route: { id, name, chosen, byName, names } }: { route: ProfiledRoute }) {
  const { t } = useTranslation("adminModels");
  const unchosen = byName === null ? t("profile.general") : t("profile.byName", { profile: byName });
  return (
    <Section title={t("profile.title", { name })} aside={t("profile.text")} id="model-profile">
      <form method="post" action={`${SET_PRICE}/${id}/profile`} className="grid gap-4">
        <FormStack>
          <SelectField
            name="profile"
            label={t("profile.label")}
            hint={t("profile.hint")}
            defaultValue={chosen ?? ""}
            options={[{ value: "", label: unchosen }, ...names.map((value) => ({ value, label: value }))]}
          />
        </FormStack>
        <FormActions>
          <Button>{t("profile.save")}</Button>
        </FormActions>
      </form>
    </Section>
  );
}
