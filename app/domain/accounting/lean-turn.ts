import { chargeOf } from "./amount";
import { admitValues, type FinishedText, settleValues } from "./batch-text";
import type { SqlValue } from "./one-text-query";
import { BUDGET_SCOPES, type BudgetScope, type HoldRequest, type Parties, type Settlement } from "./shared";

export type Finished = { readonly settlement: Settlement; readonly text: FinishedText };

/** What a lean turn takes of one batch. */
export type LeanHalf = { settled: readonly Finished[] } | { asked: readonly HoldRequest[] };

/** Whether a settlement's ledger transaction and usage row may follow later: its hold remembers it, and they cannot fail then. */
export const mayWait = ({ held, startedAt }: Settlement): boolean => held && Number.isFinite(startedAt.getTime());

/** The values of `accounting_turn`. */
export function leanValues(halves: readonly LeanHalf[], owner: string, leaseMs: number): SqlValue[] {
  const settled = halves.flatMap((half) => ("settled" in half ? half.settled : []));
  const asked = halves.flatMap((half) => ("asked" in half ? half.asked : []));
  const [calls, attempts] = settleValues(
    settled.map(({ text }) => text),
    "gateway",
  );
  const settlements = settled.map(({ settlement }) => settlement);
  const done = settlements.map((each) => `"(${each.callId},${chargeOf(each)},${each.outcome})"`);
  const isRated = asked.some(({ rateLimitRpm }) => rateLimitRpm !== null);
  const [askedCalls] = admitValues(asked, owner, "");
  return [
    `{${done.join(",")}}`,
    calls,
    attempts,
    askedCalls,
    isRated,
    ...scopesOf([...settlements, ...asked]),
    owner,
    `${leaseMs} ms`,
  ];
}

/** Every scope that counts one of the calls, once: their kinds, and their ids. */
function scopesOf(calls: readonly Parties[]): [string, string] {
  const ids: Record<BudgetScope, Set<number>> = {
    key: new Set(),
    user: new Set(),
    department: new Set(),
    project: new Set(),
    organisation: new Set(),
  };
  for (const { keyId, userId, departmentId, projectId, organisationId } of calls) {
    ids.key.add(keyId);
    if (userId !== null) ids.user.add(userId);
    if (departmentId !== null) ids.department.add(departmentId);
    if (projectId !== null) ids.project.add(projectId);
    ids.organisation.add(organisationId);
  }
  const scopes = BUDGET_SCOPES.flatMap((kind) => [...ids[kind]].map((id) => ({ kind, id })));
  return [`{${scopes.map(({ kind }) => kind).join(",")}}`, `{${scopes.map(({ id }) => id).join(",")}}`];
}
