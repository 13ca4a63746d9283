import type { ActorKeyChange, CreateKeyInput } from "~/domain/keys/index.server";
import { settingsOf } from "~/domain/keys/shared";
import { OWN_FIELDS } from "./form-values";
import type { KeyActionForm, NewKeyForm } from "./key-form.schema";

type Fields = Omit<Extract<KeyActionForm, { intent: "update" }>, "intent">;

/** Converts a form to the input of the keys room. */
export const createKeyInputOf = ({
  kind,
  owner,
  department_id,
  project_id,
  ...fields
}: NewKeyForm): CreateKeyInput => ({
  kind,
  owner,
  departmentId: department_id ?? null,
  projectId: project_id ?? null,
  ...settingsAndBudget(fields, {}),
  name: fields.name,
});

/** Returns the settings that a form changes. Metadata entries with their own field are merged into the metadata. */
export const changeOf = (fields: Fields, metadata: Readonly<Record<string, string>>): ActorKeyChange => ({
  projectId: fields.project_id,
  ...settingsAndBudget(fields, metadata),
  name: fields.name,
});

function settingsAndBudget(fields: Fields, before: Readonly<Record<string, string>>) {
  const { budget_limit, budget_period } = fields;
  return {
    ...settingsOf({ ...fields, metadata: metadataOf(fields, before) }),
    ...(budget_limit === undefined && budget_period === undefined
      ? {}
      : { budget: { limitNanoUsd: budget_limit, period: budget_period } }),
  };
}

function metadataOf(fields: Fields, before: Readonly<Record<string, string>>) {
  const { metadata } = fields;
  if (metadata === undefined && OWN_FIELDS.every((name) => fields[name] === undefined)) return undefined;
  const entries = { ...(metadata ?? before) };
  for (const name of OWN_FIELDS) {
    const chosen = fields[name] ?? metadata?.[name] ?? before[name] ?? "";
    delete entries[name];
    if (chosen !== "") entries[name] = chosen;
  }
  return entries;
}
