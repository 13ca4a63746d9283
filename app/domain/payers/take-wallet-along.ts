import type { Db } from "~/connection/db.server";
import { markExempt, readBalances, reassignPayer } from "~/domain/accounting/index.server";
import { recordAbout } from "~/domain/accounts/index.server";
import { type Actor, atLeast } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import { changeCredit } from "./credit";
import { isExemptOrganisation } from "./credit-store";

/** A person whose wallet moves. */
type Owner = Parameters<typeof recordAbout>[2] & { billingExempt: boolean };

/**
 * Moves a person's wallet and budgets to another organisation, in the caller's transaction. Owners and platform admins
 * move credit and debt with them. A person who moves on their own, with an invitation, leaves the credit of the old
 * organisation behind; otherwise that organisation could give the same credit again after each departure.
 * @throws AppError conflict for a debt, when the person moves on their own.
 */
export async function takeWalletAlong(tx: Db, actor: Actor, owner: Owner, organisationId: number): Promise<void> {
  const wallet = (await readBalances(tx, "user", [owner.id])).get(owner.id);
  if (wallet !== undefined) {
    const { walletId, exempt } = wallet;
    if (!atLeast(actor.role, "platform_admin")) await leaveCredit(tx, actor, owner, wallet);
    // A wallet that was exempt with its organisation is charged again, unless the person or the new organisation is
    // exempt.
    const exemptThere = owner.billingExempt || (await isExemptOrganisation(tx, organisationId));
    if (exempt && !exemptThere) await markExempt(tx, walletId, { exempt: false, actor: `user:${actor.userId}` });
  }
  await reassignPayer(tx, { kind: "user", id: owner.id, organisationId });
}

async function leaveCredit(
  tx: Db,
  actor: Actor,
  owner: Owner,
  wallet: { walletId: number; postedNanoUsd: bigint; heldNanoUsd: bigint; creditLimitNanoUsd: bigint; exempt: boolean },
): Promise<void> {
  const { walletId, postedNanoUsd, heldNanoUsd, creditLimitNanoUsd, exempt } = wallet;
  if (!exempt && postedNanoUsd < heldNanoUsd) {
    throw apiError("conflict", {
      key: "problems:creditUsed",
    });
  }
  if (creditLimitNanoUsd === 0n) return;
  const { organisationId } = owner;
  await changeCredit(tx, actor, { organisationId, walletId, limitNanoUsd: 0n, param: "credit_limit" });
  await recordAbout(tx, actor, owner, {
    action: "user.credit_limit",
    before: { creditLimitNanoUsd },
    after: { creditLimitNanoUsd: 0n },
  });
}
