import { type Db, plainReads } from "~/connection/db.server";
import { readBalance, readDebt, readFirstPosting, readLedger, readSpending } from "~/domain/accounting/index.server";
import type { Balance, LedgerFilter, LedgerLine } from "~/domain/accounting/shared";
import type { Actor } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import { type BurnRate, burnRateOf, dayEdges } from "./burn-rate";
import { type OwnFunding, readOwnFunding } from "./checkout/funding";

const EXPORT_PAGE = 500;

export type WalletView = {
  payer: Pick<OwnFunding, "name" | "reason" | "exempt" | "mayFund"> & { isOwn: boolean };
  /** Null when the actor may not see the wallet. Amounts are nano-USD. */
  wallet:
    | (Balance & { owedNanoUsd: bigint; burnRate: BurnRate | null; lines: LedgerLine[]; nextBefore: bigint | null })
    | null;
};

/**
 * Returns the payer of an actor and, if they may see it, the payer's wallet with a page of its ledger, newest first.
 */
export async function readWallet(
  db: Db,
  actor: Actor,
  page: { before: bigint | null; limit: number; filter?: LedgerFilter },
): Promise<WalletView> {
  const { walletId, name, reason, exempt, mayFund, payer } = await readOwnFunding(db, actor);
  const about = { name, reason, exempt, mayFund, isOwn: payer.kind === "user" && payer.id === actor.userId };
  if (!mayFund) return { payer: about, wallet: null };
  const [balance, owedNanoUsd, rows] = await Promise.all([
    readBalance(db, walletId),
    readDebt(db, walletId),
    readLedger(db, walletId, { ...page, limit: page.limit + 1 }),
  ]);
  const burnRate = exempt ? null : await readBurnRate(db, walletId, balance.availableNanoUsd);
  const lines = rows.slice(0, page.limit);
  const nextBefore = rows.length > page.limit ? (lines.at(-1)?.seq ?? null) : null;
  return { payer: about, wallet: { ...balance, owedNanoUsd, burnRate, lines, nextBefore } };
}

/**
 * Yields the filtered lines of the ledger that the actor may see, newest first, page by page.
 * @throws AppError forbidden for an actor who may not see the wallet, before the first page
 */
export async function* exportLedger(
  db: Db,
  actor: Actor,
  filter: LedgerFilter,
): AsyncGenerator<LedgerLine[], void, undefined> {
  const { walletId, mayFund } = await readOwnFunding(db, actor);
  if (!mayFund) throw apiError("forbidden");
  let before: bigint | null = null;
  for (;;) {
    const lines: LedgerLine[] = await readLedger(plainReads(), walletId, { before, limit: EXPORT_PAGE, filter });
    yield lines;
    if (lines.length < EXPORT_PAGE) return;
    before = lines.at(-1)?.seq ?? null;
  }
}

async function readBurnRate(db: Db, walletId: number, availableNanoUsd: bigint): Promise<BurnRate | null> {
  const first = await readFirstPosting(db, walletId);
  const edges = first === null ? [] : dayEdges(first, new Date());
  if (edges.length < 2) return null;
  return burnRateOf(edges, await readSpending(db, walletId, edges), availableNanoUsd);
}
