import type { Db } from "~/connection/db.server";
import { readBalance, readCreditGiven, setCreditLimit } from "~/domain/accounting/index.server";
import { type Actor, atLeast, type Role } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import { lockCreditCeiling, readCreditCeiling } from "./credit-store";

/**
 * Sets a wallet's credit limit: the only way to give credit. Amounts are nano-USD. The caller's transaction has locked
 * the wallet's owner. A raise also locks their organisation, so that each of several concurrent raises sees the earlier
 * ones. A caller who raises a person's limit locks the organisation first (`lockCreditCeiling`), then the person, as
 * merging does. Returns the previous limit. Repeating it changes nothing.
 * @throws AppError forbidden when the actor may not give this much; `param` names the field that requested it.
 */
export async function changeCredit(
  tx: Db,
  actor: Pick<Actor, "role">,
  credit: { organisationId: number; walletId: number; limitNanoUsd: bigint; param: string },
): Promise<bigint> {
  const { organisationId, walletId, limitNanoUsd, param } = credit;
  const { creditLimitNanoUsd: currentNanoUsd } = await readBalance(tx, walletId);
  if (limitNanoUsd === currentNanoUsd) return currentNanoUsd;
  if (limitNanoUsd > currentNanoUsd) {
    const ceilingNanoUsd = await lockCreditCeiling(tx, organisationId);
    const givenElsewhereNanoUsd = await readCreditGiven(tx, organisationId, walletId);
    const maximum = maxCredit(actor.role, { ceilingNanoUsd, givenElsewhereNanoUsd, currentNanoUsd });
    if (maximum !== null && limitNanoUsd > maximum) throw tooMuch(maximum, param);
  }
  await setCreditLimit(tx, walletId, limitNanoUsd);
  return currentNanoUsd;
}

/**
 * An organisation's credit: the maximum that its admins may give in total, and the amount given. Amounts are nano-USD.
 */
export type OrganisationCredit = { ceilingNanoUsd: bigint; givenNanoUsd: bigint };

export async function readOrganisationCredit(db: Db, organisationId: number): Promise<OrganisationCredit> {
  const [ceilingNanoUsd, givenNanoUsd] = await Promise.all([
    readCreditCeiling(db, organisationId),
    readCreditGiven(db, organisationId),
  ]);
  return { ceilingNanoUsd, givenNanoUsd };
}

/**
 * Returns the maximum credit limit that an actor may put on a wallet; null: unlimited. `wallet`: null before it is
 * opened.
 */
export async function readMaxCredit(
  db: Db,
  actor: Pick<Actor, "role">,
  organisationId: number,
  wallet: { walletId: number; creditLimitNanoUsd: bigint } | null,
): Promise<bigint | null> {
  const [ceilingNanoUsd, givenElsewhereNanoUsd] = await Promise.all([
    readCreditCeiling(db, organisationId),
    readCreditGiven(db, organisationId, wallet?.walletId ?? null),
  ]);
  const currentNanoUsd = wallet?.creditLimitNanoUsd ?? 0n;
  return maxCredit(actor.role, { ceilingNanoUsd, givenElsewhereNanoUsd, currentNanoUsd });
}

/**
 * Returns the maximum credit limit that a role may put on a wallet, in nano-USD; null: unlimited. Owners and platform
 * admins give credit freely. Organisation admins distribute what the ceiling leaves after the credit of the other
 * wallets (`givenElsewhereNanoUsd`). Every role may leave a limit as it is or lower it.
 */
function maxCredit(
  role: Role,
  credit: { ceilingNanoUsd: bigint; givenElsewhereNanoUsd: bigint; currentNanoUsd: bigint },
): bigint | null {
  if (atLeast(role, "platform_admin")) return null;
  const remaining = credit.ceilingNanoUsd - credit.givenElsewhereNanoUsd;
  if (remaining < credit.currentNanoUsd) return credit.currentNanoUsd;
  return remaining;
}

const tooMuch = (maxNanoUsd: bigint, param: string) =>
  apiError("forbidden", { key: "problems:creditCeiling", values: { amount: String(maxNanoUsd) }, param });
