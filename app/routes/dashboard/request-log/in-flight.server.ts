import type { Db } from "~/connection/db.server";
import { listHolds } from "~/domain/accounting/index.server";
import type { HoldScope, OpenHold } from "~/domain/accounting/shared";
import type { Actor } from "~/domain/accounts/shared";
import { nameKeys } from "~/domain/keys/index.server";
import { nameGroups } from "~/domain/usage/index.server";
import { holdScopeOf } from "../actor-facts.server";
import type { RequestLogValues } from "./query.server";

const LISTED = 100;

/** A request with a hold: its age, amount and owner. */
export type RequestInFlight = Pick<
  OpenHold,
  "callId" | "keyId" | "userId" | "state" | "amountNanoUsd" | "admittedAt"
> & { keyName: string | null; userName: string | null };

/**
 * Returns the requests with a hold in an actor's scope, oldest first, at most a hundred. They can be filtered by owner
 * and id. Filters that only finished requests can match return none.
 */
export async function readInFlight(db: Db, actor: Actor, query: RequestLogValues): Promise<RequestInFlight[]> {
  const scope = holdScopeFor(actor, query);
  if (scope === null) return [];
  const { holds } = await listHolds(db, scope, { limit: LISTED });
  const people = [...new Set(holds.flatMap(({ userId }) => (userId === null ? [] : [userId])))];
  const [keyNames, userNames] = await Promise.all([
    nameKeys(db, actor, [...new Set(holds.map(({ keyId }) => keyId))]),
    nameGroups(db, "user", people),
  ]);
  return holds.map(({ callId, keyId, userId, state, amountNanoUsd, admittedAt }) => ({
    callId,
    keyId,
    userId,
    state,
    amountNanoUsd,
    admittedAt,
    keyName: keyNames.get(keyId) ?? null,
    userName: userNames.get(userId) ?? null,
  }));
}

/** Null: the filter is outside the scope, or needs a value that exists only after the request has ended. */
function holdScopeFor(actor: Actor, query: RequestLogValues): HoldScope | null {
  const { model, supplier, region, code, session, guardrail, hour, since, until } = query;
  const unknown = [model, supplier, region, code, session, guardrail, hour, since, until];
  if ([...unknown, query.least_cost, query.most_cost, query.least_ms, query.most_ms].some((each) => each !== undefined))
    return null;
  const scope: HoldScope = holdScopeOf(actor);
  const filters = {
    organisationId: query.organisation,
    departmentId: query.department,
    userId: query.user,
    keyId: query.key,
    projectId: query.project,
  };
  for (const [name, id] of Object.entries(filters) as [keyof typeof filters, number | undefined][]) {
    if (id === undefined) continue;
    if (scope[name] !== undefined && scope[name] !== id) return null;
    scope[name] = id;
  }
  return query.request === undefined ? scope : { ...scope, callId: query.request };
}
