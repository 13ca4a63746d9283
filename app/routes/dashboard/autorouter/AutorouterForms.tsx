import { useTranslation } from "react-i18next";
import { AUTOROUTER_CHOICES, type AutorouterSetting } from "~/domain/keys/shared";
import { Button } from "~/ui/Button";
import { SelectField } from "~/ui/forms/fields";
import { FormActions, FormStack } from "~/ui/forms/form-parts";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import { Columns, Section } from "~/ui/page-parts";
import { KeyAutorouterForm, OrganisationAutorouterForm, UserAutorouterForm } from "./autorouter-form.schema";
import { useAlgorithmName } from "./use-algorithm-name";
import type { AutorouterView } from "./view.server";

const USER = "/dashboard/autorouter/user";
const KEY = "/dashboard/autorouter/api-key";
const ANY_KEY = "/dashboard/admin/autorouter/api-key";
const ORGANISATION = "/dashboard/admin/autorouter/org";
/** Paths of the page's forms. */
export const FORM_ACTIONS = [USER, KEY, ANY_KEY, ORGANISATION] as const;

type Props = { view: AutorouterView; refused: RefusedValues | null };

/** The autorouter settings of the person, the organisation and single keys. */
export function AutorouterForms({ view, refused }: Props) {
  const own = view.keys.filter(({ isOwn, mayChange }) => isOwn && mayChange);
  const changeable = view.administers.keys ? view.keys.filter(({ mayChange }) => mayChange) : own;
  const of = (action: string) => (refused?.action === action ? refused : null);
  const keyAction = view.administers.keys ? ANY_KEY : KEY;
  return (
    <Columns even>
      <div id="settings">
        <SettingForm
          {...{ id: "user", action: USER, schema: UserAutorouterForm, setting: view.user }}
          {...{ models: view.models, refused: of(USER) }}
        />
        {view.administers.organisation ? (
          <SettingForm
            {...{ id: "organisation", action: ORGANISATION, schema: OrganisationAutorouterForm }}
            {...{ setting: view.organisation, models: view.models, refused: of(ORGANISATION) }}
          />
        ) : null}
      </div>
      {changeable.length === 0 ? null : (
        <SettingForm
          {...{ id: "key", action: keyAction, schema: KeyAutorouterForm, setting: null }}
          {...{ models: view.models, refused: of(keyAction), keys: changeable }}
        />
      )}
    </Columns>
  );
}

type FormProps = {
  id: "user" | "organisation" | "key";
  action: string;
  schema: typeof UserAutorouterForm | typeof KeyAutorouterForm | typeof OrganisationAutorouterForm;
  setting: AutorouterSetting | null;
  models: string[];
  keys?: AutorouterView["keys"];
  refused: RefusedValues | null;
};

function SettingForm({ id, action, schema, setting, models, keys, refused }: FormProps) {
  const { t } = useTranslation("autorouter");
  const nameOf = useAlgorithmName();
  const form = usePortalForm({
    id: `autorouter-${id}`,
    action,
    schema,
    labels: { key_id: t("field.key_id"), autorouter: t("field.autorouter"), default_model: t("field.default_model") },
    values: { autorouter: setting?.autorouter ?? "", default_model: setting?.autorouterDefault ?? "" },
    refused,
  });
  const known = setting?.autorouterDefault ? [...new Set([...models, setting.autorouterDefault])] : models;
  return (
    <Section title={t(`form.${id}.title`)}>
      <PortalForm form={form} className="grid gap-4">
        <p className="text-ink-2">{t(`form.${id}.text`)}</p>
        <FormStack>
          {keys === undefined ? null : (
            <SelectField
              {...form.field("key_id")}
              options={keys.map((key) => ({
                value: String(key.id),
                label: key.owner === null || key.isOwn ? key.name : `${key.name} (${key.owner})`,
              }))}
            />
          )}
          <SelectField
            {...form.field("autorouter")}
            options={[
              { value: "", label: t(`form.${id}.inherit`) },
              ...AUTOROUTER_CHOICES.map((value) => ({ value, label: nameOf(value) })),
            ]}
          />
          <SelectField
            {...form.field("default_model")}
            hint={t("field.defaultHint")}
            options={[
              { value: "", label: id === "organisation" ? t("field.bestQuality") : t(`form.${id}.inherit`) },
              ...known.map((value) => ({ value, label: value })),
            ]}
          />
          <FormActions>
            <Button kind="primary">{t("save")}</Button>
          </FormActions>
        </FormStack>
      </PortalForm>
    </Section>
  );
}
