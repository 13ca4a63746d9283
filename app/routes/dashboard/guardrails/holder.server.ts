import type { Db } from "~/connection/db.server";
import { type Actor, atLeast } from "~/domain/accounts/shared";
import { viewOfWebhook } from "~/domain/guardrails/index.server";
import type {
  GuardrailChange,
  GuardrailRule,
  GuardrailWebhook,
  GuardrailWebhookChange,
  WebhookView,
} from "~/domain/guardrails/shared";
import { changeKeyGuardrails, changeKeyGuardrailWebhook, readKeyGuardrails } from "~/domain/keys/index.server";
import {
  changeOrganisationGuardrails,
  changeOrganisationGuardrailWebhook,
  readOrganisationGuardrails,
} from "~/domain/organisations/index.server";
import { ownOrganisation } from "../admin/organisation/own-organisation";

/** Owner of the guardrails in a form or on a page. */
type Asked = { key_id?: number; org_id?: number };

/** The rules in effect, those inherited from the organisation, and whether the actor may change them. */
export type HolderView = {
  holder: { kind: "key" | "organisation"; id: number; name: string };
  rules: GuardrailRule[];
  inherited: GuardrailRule[];
  webhook: WebhookView | null;
  /** Whether a webhook of the organisation also checks the key's requests. */
  inheritsWebhook: boolean;
  mayChange: boolean;
};

/** The same with callable webhooks, whose secrets are sealed. `publicId`: of a key. */
type Held = Omit<HolderView, "webhook" | "inheritsWebhook"> & {
  organisationId: number;
  publicId: string | null;
  webhook: GuardrailWebhook | null;
  inheritedWebhook: GuardrailWebhook | null;
};

/**
 * Returns the guardrails of a key or an organisation.
 * @throws AppError not_found; forbidden below organisation admin if no key is named
 */
export async function readHeld(db: Db, actor: Actor, { key_id, org_id }: Asked): Promise<Held> {
  if (key_id !== undefined) {
    const { name, ...rest } = await readKeyGuardrails(db, actor, key_id);
    return { holder: { kind: "key", id: key_id, name }, ...rest };
  }
  const id = ownOrganisation(actor, org_id);
  const { name, ...own } = await readOrganisationGuardrails(db, actor, id);
  return {
    holder: { kind: "organisation", id, name },
    ...own,
    organisationId: id,
    publicId: null,
    inherited: [],
    inheritedWebhook: null,
    mayChange: atLeast(actor.role, "org_admin"),
  };
}

/** Returns the data of the page. @throws AppError as `readHeld` */
export async function readHolder(db: Db, actor: Actor, request: Asked): Promise<HolderView> {
  const { holder, rules, inherited, mayChange, webhook, inheritedWebhook } = await readHeld(db, actor, request);
  return {
    holder,
    rules,
    inherited,
    mayChange,
    webhook: viewOfWebhook(webhook, mayChange),
    inheritsWebhook: inheritedWebhook !== null,
  };
}

/** Changes the rules, and returns the new ones. @throws AppError as the domain rooms */
export async function changeHolder(
  db: Db,
  actor: Actor,
  { key_id, org_id, change }: Asked & { change: GuardrailChange },
): Promise<GuardrailRule[]> {
  if (key_id !== undefined) return changeKeyGuardrails(db, actor, key_id, change);
  return changeOrganisationGuardrails(db, actor, ownOrganisation(actor, org_id), change);
}

/**
 * Changes the webhook; returns a new secret, which must be shown once, or null.
 * @throws AppError as the domain rooms
 */
export async function changeWebhook(
  db: Db,
  actor: Actor,
  { key_id, org_id, change }: Asked & { change: GuardrailWebhookChange },
): Promise<string | null> {
  if (key_id !== undefined) return changeKeyGuardrailWebhook(db, actor, key_id, change);
  return changeOrganisationGuardrailWebhook(db, actor, ownOrganisation(actor, org_id), change);
}

/** Returns the kind of a webhook's secret among the secrets that a person has not stored yet. */
export const secretKind = ({ kind, id }: Pick<HolderView["holder"], "kind" | "id">): string =>
  `guardrail-webhook:${kind}:${id}`;

/** Returns the same for the owner in a form. @throws AppError as the page */
export const secretKindOf = (actor: Actor, { key_id, org_id }: Asked): string =>
  key_id === undefined
    ? secretKind({ kind: "organisation", id: ownOrganisation(actor, org_id) })
    : secretKind({ kind: "key", id: key_id });

export const pageOf = ({ key_id }: Asked): string =>
  key_id === undefined ? "/dashboard/guardrails" : `/dashboard/guardrails?key=${key_id}`;
