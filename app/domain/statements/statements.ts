import type { Db } from "~/connection/db.server";
import { readFirstPosting, readLedger } from "~/domain/accounting/index.server";
import type { Actor } from "~/domain/accounts/shared";
import { readOwnFunding, readPayment } from "~/domain/billing/index.server";
import { apiError } from "~/errors/app-error";
import { isMonth, knownTimeZone, monthOf, monthsBetween } from "./months";
import type { LedgerEntry, Statement, UsageLine } from "./shared";
import {
  findBounds,
  findPayments,
  findPerson,
  findPosition,
  findRequests,
  findTimeZone,
  findTransaction,
  type Range,
  sumMovements,
  sumUsage,
} from "./store";

const DAY_MS = 86_400_000;
/** Requests of a month's entries usually began in the month, or at most this long before it. */
const BEGAN_BEFORE_MS = 2 * DAY_MS;
const MAX_REQUESTS = 1_000;

type Payer = { walletId: number; name: string; timeZone: string };

/** Returns the months of the actor's payer, newest first. @throws AppError forbidden when the actor may not see the wallet */
export async function listStatements(
  db: Db,
  actor: Actor,
): Promise<{ payer: string; timeZone: string; months: string[] }> {
  const { walletId, name, timeZone } = await payerOf(db, actor);
  const first = await readFirstPosting(db, walletId);
  const months = first === null ? [] : monthsBetween(monthOf(first, timeZone), monthOf(new Date(), timeZone));
  return { payer: name, timeZone, months };
}

/**
 * Returns a payer's statement for a month, computed from the ledger: its own balances, sums of its entries, and the usage rows of these
 * entries, with the results of the comparison. Amounts are nano-USD.
 * @throws AppError forbidden; not_found for a month before the first entry, or a future one
 */
export async function readStatement(db: Db, actor: Actor, month: string): Promise<Statement> {
  const { walletId, name, timeZone } = await payerOf(db, actor);
  const first = await readFirstPosting(db, walletId);
  if (!isMonth(month) || first === null || month < monthOf(first, timeZone) || month > monthOf(new Date(), timeZone))
    throw apiError("not_found", { key: "rejections:noStatement" });
  const { from, to, now } = await findBounds(db, month, timeZone);
  const [opening, closing] = [await findPosition(db, walletId, from), await findPosition(db, walletId, to)];
  const range = { walletId, after: opening.seq, upTo: closing.seq };
  const [movements, payments] = await Promise.all([sumMovements(db, range), findPayments(db, range)]);
  const movedNanoUsd = movements.reduce((sum, { amountNanoUsd }) => sum + amountNanoUsd, 0n);
  const ofUsage = -(movements.find(({ kind }) => kind === "usage")?.amountNanoUsd ?? 0n);
  const usage = await usageOf(db, range, { timeZone, from, expected: ofUsage });
  const usageNanoUsd = totalOf(usage.byModel);
  return {
    month,
    payer: name,
    timeZone,
    from,
    to,
    isOver: now >= to,
    movements,
    payments,
    ...usage,
    openingNanoUsd: opening.balance,
    closingNanoUsd: closing.balance,
    lastSeq: closing.seq,
    checkedAt: now,
    movedNanoUsd,
    usageNanoUsd,
    isLedgerEqual: opening.balance + movedNanoUsd === closing.balance,
    isUsageEqual: usageNanoUsd === ofUsage,
  };
}

/**
 * Returns an entry of a payer's ledger; a usage entry with its requests, each from hold to charge.
 * @throws AppError forbidden; not_found
 */
export async function readLedgerEntry(db: Db, actor: Actor, seq: number): Promise<LedgerEntry> {
  const { walletId, timeZone } = await payerOf(db, actor);
  const [entry] = await readLedger(db, walletId, { before: BigInt(seq) + 1n, limit: 1 });
  if (entry?.seq !== BigInt(seq)) throw apiError("not_found", { key: "rejections:noEntry" });
  const { actor: poster, paymentId, ...line } = entry;
  const transaction = await findTransaction(db, walletId, entry.seq);
  const isUsage = entry.kind === "usage";
  const requests = isUsage ? await requestsOf(db, { ...entry, transaction }) : [];
  const chargedNanoUsd = requests[0]?.total ?? 0n;
  return {
    ...line,
    transaction,
    by: await postedBy(db, actor, poster),
    payment: paymentId === null ? null : await readPayment(db, paymentId),
    month: monthOf(entry.at, timeZone),
    requests: requests.map(({ count: _, total: __, ...request }) => request),
    requestCount: requests[0]?.count ?? 0,
    chargedNanoUsd,
    isEqual: isUsage ? chargedNanoUsd === -entry.amountNanoUsd : null,
  };
}

/** People outside the reader's organisation are shown as the operator. */
async function postedBy(db: Db, { organisationId }: Actor, poster: string): Promise<LedgerEntry["by"]> {
  if (poster === "processor") return { kind: "processor" };
  const [, userId] = /^user:(\d{1,10})$/.exec(poster) ?? [];
  if (userId === undefined) return { kind: "gateway" };
  const name = await findPerson(db, organisationId, Number(userId));
  return name === null ? { kind: "operator" } : { kind: "person", name };
}

async function payerOf(db: Db, actor: Actor): Promise<Payer> {
  const { walletId, name, mayFund, payer } = await readOwnFunding(db, actor);
  if (!mayFund) throw apiError("forbidden");
  return { walletId, name, timeZone: knownTimeZone(await findTimeZone(db, payer)) };
}

type Usage = Pick<Statement, "byModel" | "byKey" | "byDay">;

/** Reads the usage rows. Searches for rows that began long before the month only if the sums do not match. */
async function usageOf(
  db: Db,
  range: Range,
  { timeZone, from, expected }: { timeZone: string; from: Date; expected: bigint },
): Promise<Usage> {
  if (expected === 0n) return { byModel: [], byKey: [], byDay: [] };
  const since = new Date(from.getTime() - BEGAN_BEFORE_MS);
  const usage = grouped(await sumUsage(db, range, { timeZone, since }));
  return totalOf(usage.byModel) === expected ? usage : grouped(await sumUsage(db, range, { timeZone, since: null }));
}

type Posting = { transaction: bigint; at: Date; amountNanoUsd: bigint };

async function requestsOf(db: Db, { transaction, at, amountNanoUsd }: Posting) {
  const since = new Date(at.getTime() - BEGAN_BEFORE_MS);
  const rows = await findRequests(db, transaction, { since, limit: MAX_REQUESTS });
  if (rows[0]?.total === -amountNanoUsd) return rows;
  return findRequests(db, transaction, { since: null, limit: MAX_REQUESTS });
}

function grouped(rows: Awaited<ReturnType<typeof sumUsage>>): Usage {
  const of = (what: string): UsageLine[] =>
    rows
      .filter((row) => row.of === what)
      .map(({ name, requests, chargedNanoUsd }) => ({ name, requests, chargedNanoUsd }));
  const bySpend = (a: UsageLine, b: UsageLine) => (a.chargedNanoUsd < b.chargedNanoUsd ? 1 : -1);
  return { byModel: of("model").toSorted(bySpend), byKey: of("key").toSorted(bySpend), byDay: of("day") };
}

const totalOf = (lines: readonly UsageLine[]): bigint =>
  lines.reduce((sum, { chargedNanoUsd }) => sum + chargedNanoUsd, 0n);
