import type { ActorKeyChange, CreateKeyInput } from "~/domain/keys/index.server";
import type { KeyActionForm, NewKeyForm } from "./key-form.schema";

type Fields = Omit<Extract<KeyActionForm, { intent: "update" }>, "intent">;

/** What a form asks for, as the keys room takes it. */
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
  ...settingsOf(fields, {}),
  name: fields.name,
});

/** The settings that a form changes. What has a field of its own among the metadata is told together with it. */
export const changeOf = (fields: Fields, metadata: Readonly<Record<string, string>>): ActorKeyChange => ({
  projectId: fields.project_id,
  ...settingsOf(fields, metadata),
  name: fields.name,
});

function settingsOf(fields: Fields, before: Readonly<Record<string, string>>) {
  const { budget_limit, budget_period } = fields;
  return {
    allowedModels: fields.allowed_models,
    allowedRegions: fields.allowed_regions,
    allowedOrigins: fields.allowed_origins,
    rateLimitRpm: fields.rate_limit_rpm,
    expiresAt: fields.expires_at,
    metadata: metadataOf(fields, before),
    ...(budget_limit === undefined && budget_period === undefined
      ? {}
      : { budget: { limitNanoUsd: budget_limit, period: budget_period } }),
  };
}

/** Entries of the metadata that have a field of their own. */
const OWN_FIELDS = ["autorouter", "fit_output"] as const;

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
