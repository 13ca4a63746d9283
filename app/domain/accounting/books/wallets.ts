import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { apiError } from "~/errors/app-error";
import { isAmount, notAnAmount } from "../amount";
import type { Balance, Payer } from "../shared";
import {
  changeCreditLimit,
  changeExempt,
  type Exemption,
  findBalance,
  findWallet,
  insertWallet,
  postToWallet,
} from "../store";
import { findWalletsOf, readDebt } from "./ledger-store";

/**
 * Opens the wallet of a payer, or returns the existing one unchanged; `exempt` applies to a new wallet only. Returns its id. Safe to
 * repeat.
 */
export function openWallet(db: Db, payer: Payer, options: { exempt?: boolean } = {}): Promise<number> {
  return insertWallet(db, payer, options.exempt ?? false);
}

/** Returns the id of a payer's wallet; null when it has none. */
export function walletOf(db: Db, payer: Omit<Payer, "organisationId">): Promise<number | null> {
  return findWallet(db, payer);
}

/**
 * Returns the balance of a wallet, in nano-USD.
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

/** A wallet of an organisation with its balance and its payer's debt. */
type ListedWallet = {
  id: number;
  payer: { kind: "organisation" | "project"; id: number };
  balance: Balance;
  owedNanoUsd: bigint;
};

/** Lists the wallets of an organisation and of its projects by id; `afterId`: the last id of the previous page, 0 for the first. */
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

/** A posting by a person. The idempotency key makes it happen once; the same key with another amount is rejected. */
export type Posting = { walletId: number; amountNanoUsd: bigint; idempotencyKey: string; actor: string; memo: string };

/**
 * Adjusts a wallet by hand: a positive amount credits it, a negative one debits it, down to its credit floor. Returns the
 * transaction's id. Safe to repeat with the same key.
 * @throws AppError not_found; idempotency_conflict; billing_limit_reached when the wallet has too little.
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
 * Grants a payer promotional funds. Returns the transaction's id. Safe to repeat with the same key.
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
 * Sets the credit limit of a wallet. A limit below the used credit is valid: no new call is admitted, and calls in flight go on. Safe
 * to repeat.
 * @throws AppError not_found
 */
export async function setCreditLimit(db: Db, walletId: number, limitNanoUsd: bigint): Promise<void> {
  if (!isAmount(limitNanoUsd)) throw notAnAmount(limitNanoUsd);
  if (!(await changeCreditLimit(db, walletId, limitNanoUsd))) throw noSuchWallet();
}

/**
 * Sets whether a payer is exempt from charges. An exempt payer's usage is posted to the internal account `exempt_usage`, and its
 * wallet may be negative; when the exemption ends, that usage is written off. Publishes a budget change. Safe to repeat.
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
