import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { openWallet } from "~/domain/accounting/index.server";
import { rateLimitEmailTo } from "~/domain/accounts/index.server";
import { type Actor, authorOf } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { AuditAction } from "~/domain/activity/shared";
import type { Delegation } from "~/domain/payers/shared";
import { apiError } from "~/errors/app-error";
import {
  type DelegationLine,
  type DelegationRow,
  endRow,
  findColleague,
  findLive,
  insertQuestion,
  listLive,
  lockParties,
  type Party,
  putInForce,
} from "./delegated-payer-store";

/** Maximum unanswered requests of one person. */
const MAX_OPEN = 20;

/** A recipient of an email: the person who receives the request, or whose wallet begins to pay. */
export type DelegationNews = Pick<Party, "id" | "email" | "name" | "language">;

/**
 * Asks a colleague to pay for the actor (`request`), or offers to pay for them (`offer`). Nothing changes until they
 * accept. The payer must pay for themselves from their own wallet. The caller sends `asked` the email, in the same
 * transaction.
 * @throws AppError not_found when the organisation has no active person with that address; conflict when one of the two
 *   cannot take part, or too many requests are open; rate_limit_exceeded for too many emails to one address.
 */
export function proposeDelegation(
  db: Db,
  actor: Actor,
  proposal: { kind: "offer" | "request"; email: string },
): Promise<{ id: number; asked: DelegationNews }> {
  return inTransaction(db, async (tx) => {
    const { organisationId, userId: self } = actor;
    // Counted before the lookup, so that addresses cannot be probed here.
    await rateLimitEmailTo(tx, actor, proposal.email);
    const colleague = await findColleague(tx, organisationId, proposal.email);
    if (colleague === null) throw noSuchColleague();
    const pair =
      proposal.kind === "offer" ? { userId: colleague.id, payerId: self } : { userId: self, payerId: colleague.id };
    if (pair.userId === pair.payerId)
      throw apiError("invalid_input", { key: "rejections:delegateSelf", param: "email" });
    const { user, payer } = await requireParties(tx, organisationId, pair);
    const live = await findLive(tx, [user.id, payer.id]);
    if (live.some((each) => each.userId === user.id && each.payerId === payer.id)) {
      throw apiError("conflict", { key: "rejections:delegateTwice", param: "email" });
    }
    if (live.filter(({ askedById, accepted }) => askedById === self && !accepted).length >= MAX_OPEN) {
      throw apiError("conflict", { key: "rejections:delegateMany" });
    }
    requireAble(user, payer, live);
    const id = await insertQuestion(tx, { ...pair, askedById: self });
    await record(tx, actor, "user.payer_ask", { user, payer });
    return { id, asked: proposal.kind === "offer" ? user : payer };
  });
}

/**
 * Accepts a colleague's request or offer. From the next call on, the payer's wallet pays and a previous agreement ends;
 * calls in flight keep the payer they began with. Repeating it changes nothing. Returns the two people, who are
 * notified that the wallet begins to pay; null: it already did.
 * @throws AppError not_found when the request was not made to the actor; conflict when one of the two cannot take part.
 */
export function acceptDelegation(
  db: Db,
  actor: Actor,
  id: number,
): Promise<{ payer: DelegationNews; user: DelegationNews } | null> {
  return inTransaction(db, async (tx) => {
    const { row, user, payer } = await lockDelegation(tx, actor, id);
    if (row.askedById === actor.userId) throw noSuchQuestion();
    if (row.accepted) return null;
    requireAble(user, payer, await findLive(tx, [user.id, payer.id]));
    await openWallet(
      tx,
      { kind: "user", id: payer.id, organisationId: actor.organisationId },
      { exempt: payer.organisationExempt },
    );
    await putInForce(tx, row);
    await publish(tx, "keys");
    await record(tx, actor, "user.payer_accept", { user, payer });
    return { payer, user };
  });
}

/**
 * Ends an agreement, or declines or withdraws a request: either of the two people may, at any time. Takes effect with
 * the next call.
 * @throws AppError not_found when the actor is neither of the two, or when it has already ended.
 */
export async function endDelegation(db: Db, actor: Actor, id: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { row, user, payer } = await lockDelegation(tx, actor, id);
    await endRow(tx, id);
    if (row.accepted) await publish(tx, "keys");
    await record(tx, actor, "user.payer_end", { user, payer });
  });
}

/** Returns who pays for the actor, for whom the actor pays, and the open requests. */
export async function listDelegations(db: Db, actor: Actor): Promise<Delegation[]> {
  const lines: DelegationLine[] = await listLive(db, actor.userId);
  return lines.map((line) => {
    const pays = line.payerId === actor.userId;
    return {
      id: line.id,
      pays,
      other: pays ? line.userName : line.payerName,
      askedByReader: line.askedById === actor.userId,
      askedAt: line.askedAt,
      acceptedAt: line.acceptedAt,
    };
  });
}

async function lockDelegation(tx: Db, actor: Actor, id: number) {
  const find = async () => (await findLive(tx, [actor.userId])).find((each) => each.id === id);
  const unlocked = await find();
  if (unlocked === undefined) throw noSuchQuestion();
  const { user, payer } = await requireParties(tx, actor.organisationId, unlocked);
  // The other person may have answered while this transaction waited for the locks.
  const row = await find();
  if (row === undefined) throw noSuchQuestion();
  return { row, user, payer };
}

async function requireParties(
  tx: Db,
  organisationId: number,
  { userId, payerId }: Pick<DelegationRow, "userId" | "payerId">,
): Promise<{ user: Party; payer: Party }> {
  const parties = await lockParties(tx, organisationId, [userId, payerId]);
  const user = parties.find(({ id }) => id === userId);
  const payer = parties.find(({ id }) => id === payerId);
  if (user === undefined || payer === undefined) throw noSuchColleague();
  return { user, payer };
}

/**
 * Rejects a payer who does not pay for themselves or who is exempt. This prevents chains of payers, and keeps an
 * exemption from extending to other people.
 */
function requireAble(user: Party, payer: Party, live: readonly DelegationRow[]): void {
  if (!user.active || !payer.active) throw noSuchColleague();
  const inForce = live.filter(({ accepted }) => accepted);
  if (payer.billingExempt && !payer.organisationExempt)
    throw apiError("conflict", { key: "rejections:delegateExempt" });
  if (payer.billingMode !== "own" || inForce.some(({ userId }) => userId === payer.id)) {
    throw apiError("conflict", { key: "rejections:delegateNotOwn" });
  }
  if (inForce.some(({ payerId }) => payerId === user.id)) {
    throw apiError("conflict", { key: "rejections:delegatePaysOthers" });
  }
}

function record(
  tx: Db,
  actor: Actor,
  action: AuditAction,
  { user, payer }: { user: Party; payer: Party },
): Promise<void> {
  return recordAuditEvent(tx, {
    by: authorOf(actor),
    action,
    target: { kind: "user", id: user.id, label: user.email },
    organisationId: actor.organisationId,
    subjectUserId: user.id,
    before: {},
    after: { payer: payer.email },
  });
}

const noSuchColleague = () => apiError("not_found", { key: "rejections:delegateNobody", param: "email" });
const noSuchQuestion = () => apiError("not_found", { key: "rejections:delegateNobodyAsks" });
