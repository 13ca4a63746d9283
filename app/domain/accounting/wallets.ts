import { inTransaction, publish } from "~/bus.server";
import type { Db } from "~/db.server";
import { apiError } from "~/errors/app-error";
import { isAmount, notAnAmount } from "./amount";
import { findWalletsOf, readDebt } from "./ledger-store";
import type { Balance, Payer } from "./shared";
import {
  changeCreditLimit,
  changeExempt,
  type Exemption,
  findBalance,
  findWallet,
  insertWallet,
  postToWallet,
} from "./store";

/**
 * Opens the wallet of a payer, or finds the one it has. An existing wallet stays as it is, whatever `exempt` says.
 * Returns its id. Safe to repeat.
 */
export function openWallet(db: Db, payer: Payer, options: { exempt?: boolean } = {}): Promise<number> {
  return insertWallet(db, payer, options.exempt ?? false);
}

/** The id of a payer's wallet; null when it has none. */
export function walletOf(db: Db, payer: Omit<Payer, "organisationId">): Promise<number | null> {
  return findWallet(db, payer);
}

/**
 * What a wallet holds, in nano-USD.
 * @throws AppError not_found
 */
export async function readBalance(db: Db, walletId: number): Promise<Balance> {
  const row = await findBalance(db, walletId);
  if (row === null) throw noSuchWallet();
  return {
    postedNanoUsd: row.posted,
    heldNanoUsd: row.held,
    creditLimitNanoUsd: row.credit_limit,
    availableNanoUsd: row.posted - row.held + row.credit_limit,
    exempt: row.exempt,
  };
}

/** A wallet of an organisation as it stands, and what its payer owes besides. */
type ListedWallet = {
  id: number;
  payer: { kind: "organisation" | "project"; id: number };
  balance: Balance;
  owedNanoUsd: bigint;
};

/** The own wallet of an organisation and those of its projects, in a lasting order; those behind `afterId`, 0 for the first. */
export async function listWallets(
  db: Db,
  organisationId: number,
  page: { afterId: number; limit: number },
): Promise<ListedWallet[]> {
  const found = await findWalletsOf(db, organisationId, page);
  return Promise.all(
    found.map(async ({ id, kind, payerId }) => ({
      id,
      payer: { kind, id: payerId },
      balance: await readBalance(db, id),
      owedNanoUsd: await readDebt(db, id),
    })),
  );
}

/** A posting that a person makes. The key makes it happen once: the same key with another amount is refused. */
export type Posting = { walletId: number; amountNanoUsd: bigint; idempotencyKey: string; actor: string; memo: string };

/**
 * Corrects a wallet by hand: a positive amount fills it, a negative one takes from it, down to its credit floor. Returns
 * the transaction's id. Safe to repeat with the same key.
 * @throws AppError not_found; idempotency_conflict; billing_limit_reached when the wallet does not have so much.
 */
export function postAdjustment(db: Db, posting: Posting): Promise<bigint> {
  return post(db, {
    ...posting,
    house: "adjustment",
    kind: "adjustment",
    idempotencyKey: `adjustment:${posting.idempotencyKey}`,
  });
}

/**
 * Gives a payer funds that nobody paid for. Returns the transaction's id. Safe to repeat with the same key.
 * @throws AppError not_found; idempotency_conflict. RangeError for a negative amount.
 */
export function grantFunds(db: Db, posting: Posting): Promise<bigint> {
  if (!isAmount(posting.amountNanoUsd)) throw notAnAmount(posting.amountNanoUsd);
  return post(db, {
    ...posting,
    house: "promo_expense",
    kind: "promo_grant",
    idempotencyKey: `grant:${posting.idempotencyKey}`,
  });
}

/**
 * How far below zero a wallet may go. A limit below what is used already stands: nothing new is admitted, nothing
 * running is touched. Safe to repeat.
 * @throws AppError not_found
 */
export async function setCreditLimit(db: Db, walletId: number, limitNanoUsd: bigint): Promise<void> {
  if (!isAmount(limitNanoUsd)) throw notAnAmount(limitNanoUsd);
  if (!(await changeCreditLimit(db, walletId, limitNanoUsd))) throw noSuchWallet();
}

/**
 * Whether a payer is charged. An exempt payer's usage is posted to the house's `exempt_usage`, and its wallet may fall
 * below zero; when it stops being exempt, that usage is written off. Announced as a change of budgets. Safe to repeat.
 * @throws AppError not_found
 */
export async function markExempt(db: Db, walletId: number, exemption: Exemption): Promise<void> {
  await inTransaction(db, async (tx) => {
    const changed = await changeExempt(tx, walletId, exemption);
    if (changed === null) throw noSuchWallet();
    if (changed) await publish(tx, "budgets", `wallet:${walletId}`);
  });
}

async function post(db: Db, posting: Posting & { house: string; kind: string }): Promise<bigint> {
  const { amountNanoUsd } = posting;
  if (
    typeof amountNanoUsd !== "bigint" ||
    amountNanoUsd === 0n ||
    !isAmount(amountNanoUsd < 0n ? -amountNanoUsd : amountNanoUsd)
  ) {
    throw notAnAmount(amountNanoUsd);
  }
  try {
    const txn = await postToWallet(db, posting);
    if (txn === null) throw noSuchWallet();
    return txn;
  } catch (problem) {
    throw refusedPosting(problem);
  }
}

function refusedPosting(problem: unknown): unknown {
  const text = `${(problem as { message?: string }).message} ${JSON.stringify((problem as { meta?: unknown }).meta ?? "")}`;
  if (text.includes("GW001")) return apiError("idempotency_conflict", { cause: problem });
  if (text.includes("wallet_never_overdrawn")) return apiError("billing_limit_reached", { cause: problem });
  return problem;
}

function noSuchWallet() {
  return apiError("not_found", { key: "rejections:noWallet" });
}
