import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { readRejectedRequests } from "~/domain/request-log/index.server";
import type { RejectedRequests } from "~/domain/request-log/shared";
import { narrowed, usageScopeOf } from "~/domain/usage/index.server";
import type { Remedy } from "../remedy";
import { readRemedy } from "../remedy.server";

/** Maximum bursts that could contain a request, and maximum other bursts of its key. */
const AROUND = 20;
const OTHERS = 10;

/**
 * The page of a rejected request. `burst`: the burst that contains it, with the remedy for the reader and further
 * bursts of the key. Null: the id is not stored, and it came during one of the bursts `around`.
 */
export type RejectionView = {
  requestId: string;
  burst: RejectedRequests | null;
  remedy: Remedy | null;
  others: RejectedRequests[];
  around: RejectedRequests[];
};

/** Returns the data of the page of a rejected request; null: no burst in the reader's scope can contain it. */
export async function readRejectionPage(db: Db, actor: Actor, requestId: string): Promise<RejectionView | null> {
  const scope = usageScopeOf(actor);
  const search = { filter: { requestId }, beforeId: null, limit: AROUND };
  const { rejected, isExact } = await readRejectedRequests(db, scope, search);
  const [burst] = rejected;
  if (burst === undefined) return null;
  const none = { requestId, burst: null, remedy: null, others: [], around: [] };
  if (!isExact) return { ...none, around: ownFirst(rejected, actor.userId) };
  const [remedy, ofKey] = await Promise.all([
    readRemedy(db, actor, burst),
    readRejectedRequests(db, narrowed(scope, { key: burst.keyId }), { filter: {}, beforeId: null, limit: OTHERS }),
  ]);
  return { ...none, burst, remedy, others: ofKey.rejected.filter(({ id }) => id !== burst.id) };
}

const ownFirst = (bursts: readonly RejectedRequests[], userId: number): RejectedRequests[] =>
  bursts.toSorted((a, b) => Number(b.userId === userId) - Number(a.userId === userId));
