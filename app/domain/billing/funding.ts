import type { Db } from "~/db.server";
import type { Actor } from "~/domain/identity/shared";
import { atLeast } from "~/domain/identity/shared";
import { type EffectivePayer, payerOf } from "~/domain/keys/index.server";

/** Whose wallet pays for a person, and whether they may put money into it and see what it holds. */
export type OwnFunding = EffectivePayer & { mayFund: boolean };

/** Who pays for what an actor uses. People fund their own wallet; an organisation's is funded by its admins. */
export async function readOwnFunding(db: Db, actor: Actor): Promise<OwnFunding> {
  const { userId, organisationId, role } = actor;
  const payer = await payerOf(db, { organisationId, userId, projectId: null });
  const { kind, id } = payer.payer;
  const mayFund =
    kind === "user" ? id === userId : kind === "organisation" && id === organisationId && atLeast(role, "org_admin");
  return { ...payer, mayFund };
}
