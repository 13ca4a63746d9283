import type { Db } from "~/db.server";
import type { GuardrailChange, GuardrailRule } from "~/domain/guardrails/shared";
import { type Actor, atLeast } from "~/domain/identity/shared";
import { changeKeyGuardrails, readKeyGuardrails } from "~/domain/keys/index.server";
import { changeOrganisationGuardrails, readOrganisationGuardrails } from "~/domain/organisations/index.server";
import { ownOrganisation } from "../admin/organisation/own-organisation";

/** Whose guardrails a form or a page is about. */
type Asked = { key_id?: number; org_id?: number };

/** What holds, what of it comes from the organisation, and whether the actor may change it. */
export type HolderView = {
  holder: { kind: "key" | "organisation"; id: number; name: string };
  rules: GuardrailRule[];
  inherited: GuardrailRule[];
  mayChange: boolean;
};

/** @throws AppError not_found; forbidden below organisation admin where no key is named */
export async function readHolder(db: Db, actor: Actor, { key_id, org_id }: Asked): Promise<HolderView> {
  if (key_id !== undefined) {
    const { name, ...rest } = await readKeyGuardrails(db, actor, key_id);
    return { holder: { kind: "key", id: key_id, name }, ...rest };
  }
  const id = ownOrganisation(actor, org_id);
  const { name, rules } = await readOrganisationGuardrails(db, actor, id);
  return {
    holder: { kind: "organisation", id, name },
    rules,
    inherited: [],
    mayChange: atLeast(actor.role, "org_admin"),
  };
}

/** Changes them, and says where their page is. @throws AppError as the rooms do */
export async function changeHolder(
  db: Db,
  actor: Actor,
  { key_id, org_id, change }: Asked & { change: GuardrailChange },
): Promise<GuardrailRule[]> {
  if (key_id !== undefined) return changeKeyGuardrails(db, actor, key_id, change);
  return changeOrganisationGuardrails(db, actor, ownOrganisation(actor, org_id), change);
}

export const pageOf = ({ key_id }: Asked): string =>
  key_id === undefined ? "/dashboard/guardrails" : `/dashboard/guardrails?key=${key_id}`;
