import type { Db } from "~/db.server";
import { readBalance, readDebt, readStatement, type StatementLine } from "~/domain/accounting/index.server";
import type { Balance } from "~/domain/accounting/shared";
import type { Actor } from "~/domain/identity/shared";
import { type OwnFunding, readOwnFunding } from "./funding";

export type WalletView = {
  payer: Pick<OwnFunding, "name" | "reason" | "exempt" | "mayFund"> & { isOwn: boolean };
  /** Null where the actor may not see the wallet. Amounts are nano-USD. */
  wallet: (Balance & { owedNanoUsd: bigint; lines: StatementLine[]; nextBefore: bigint | null }) | null;
};

/** Who pays for an actor and, where they may see it, that wallet with a page of its ledger, newest first. */
export async function readWallet(
  db: Db,
  actor: Actor,
  page: { before: bigint | null; limit: number },
): Promise<WalletView> {
  const { walletId, name, reason, exempt, mayFund, payer } = await readOwnFunding(db, actor);
  const about = { name, reason, exempt, mayFund, isOwn: payer.kind === "user" && payer.id === actor.userId };
  if (!mayFund) return { payer: about, wallet: null };
  const [balance, owedNanoUsd, found] = await Promise.all([
    readBalance(db, walletId),
    readDebt(db, walletId),
    readStatement(db, walletId, { before: page.before, limit: page.limit + 1 }),
  ]);
  const lines = found.slice(0, page.limit);
  const nextBefore = found.length > page.limit ? (lines.at(-1)?.seq ?? null) : null;
  return { payer: about, wallet: { ...balance, owedNanoUsd, lines, nextBefore } };
}
