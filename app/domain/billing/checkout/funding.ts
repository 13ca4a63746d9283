import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { atLeast } from "~/domain/accounts/shared";
import { type EffectivePayer, payerOf } from "~/domain/keys/index.server";

/** The payer of a person, and whether the person may fund that wallet and see its balance. */
export type OwnFunding = EffectivePayer & { mayFund: boolean };

/**
 * Returns the payer of an actor's usage. People fund their own wallet; an organisation's wallet is funded by its
 * admins.
 */
export async function readOwnFunding(db: Db, actor: Actor): Promise<OwnFunding> {
  const { userId, organisationId, role } = actor;
  const payer = await payerOf(db, { organisationId, userId, projectId: null });
  const { kind, id } = payer.payer;
  const mayFund =
    kind === "user" ? id === userId : kind === "organisation" && id === organisationId && atLeast(role, "org_admin");
  return { ...payer, mayFund };
}
