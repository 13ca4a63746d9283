import { chargeOf } from "../amount";
import { admitValues, type FinishedText, settleValues } from "../call-text";
import type { SqlValue } from "../link/one-text-query";
import { isSameParties } from "../parties";
import { BUDGET_SCOPES, type BudgetScope, type HoldRequest, type Parties, type Settlement } from "../shared";

export type Finished = { readonly settlement: Settlement; readonly text: FinishedText };

/** One batch in the form of a lean turn. */
export type LeanHalf = { settled: readonly Finished[] } | { requested: readonly HoldRequest[] };

/** Whether a settlement's ledger transaction and usage row may be posted later: it has a hold, and posting cannot fail. */
export const mayWait = ({ held, startedAt }: Settlement): boolean => held && Number.isFinite(startedAt.getTime());

/** The values of `accounting_turn`. */
export function leanValues(halves: readonly LeanHalf[], owner: string, leaseMs: number): SqlValue[] {
  const texts: FinishedText[] = [];
  const requested: HoldRequest[] = [];
  const scopes = new Scopes();
  let done = "";
  let isRated = false;
  for (const half of halves) {
    if ("settled" in half) {
      for (const { settlement, text } of half.settled) {
        done += `${done === "" ? "" : ","}"(${settlement.callId},${chargeOf(settlement)},${settlement.outcome})"`;
        texts.push(text);
        scopes.add(settlement);
      }
    } else {
      for (const request of half.requested) {
        requested.push(request);
        isRated ||= request.rateLimitRpm !== null;
        scopes.add(request);
      }
    }
  }
  const [calls, attempts] = settleValues(texts, "gateway");
  const [requestedCalls] = admitValues(requested, owner, "");
  return [`{${done}}`, calls, attempts, requestedCalls, isRated, ...scopes.values(), owner, `${leaseMs} ms`];
}

/** Collects the distinct scopes of the calls. */
class Scopes {
  readonly #ids: Record<BudgetScope, Set<number>> = {
    key: new Set(),
    user: new Set(),
    department: new Set(),
    project: new Set(),
    organisation: new Set(),
  };
  #last: Parties | null = null;

  add(call: Parties): void {
    // Under load, consecutive calls often have the same key.
    if (this.#last !== null && isSameParties(this.#last, call)) return;
    this.#last = call;
    this.#ids.key.add(call.keyId);
    if (call.userId !== null) this.#ids.user.add(call.userId);
    if (call.departmentId !== null) this.#ids.department.add(call.departmentId);
    if (call.projectId !== null) this.#ids.project.add(call.projectId);
    this.#ids.organisation.add(call.organisationId);
  }

  /** The kinds and the ids, as two array literals. */
  values(): [string, string] {
    const scopes = BUDGET_SCOPES.flatMap((kind) => [...this.#ids[kind]].map((id) => ({ kind, id })));
    return [`{${scopes.map(({ kind }) => kind).join(",")}}`, `{${scopes.map(({ id }) => id).join(",")}}`];
  }
}
