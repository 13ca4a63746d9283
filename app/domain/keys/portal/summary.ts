import type { Db } from "~/connection/db.server";
import { readBudgets } from "~/domain/accounting/index.server";
import type { BudgetView } from "~/domain/accounting/shared";
import type { Actor } from "~/domain/accounts/shared";
import { type KeyMention, mentionActiveKeys, mentionKeys } from "./store";

/** Maximum keys to examine, newest first. */
const LOOKED_AT = 1_000;
const SOON_MS = 7 * 86_400_000;

export type KeySummary = {
  /** Usable keys with a limit, in order of the used share, highest first. */
  fullest: { key: KeyMention; budget: BudgetView }[];
  /** Keys that expire within a week, soonest first. */
  expiring: (KeyMention & { expiresAt: Date })[];
};

/** Returns a summary of the keys in the actor's scope; at most `limit` of each kind. */
export async function summariseKeys(db: Db, actor: Actor, limit: number): Promise<KeySummary> {
  const now = new Date();
  const keys = await mentionActiveKeys(db, actor, LOOKED_AT, now);
  const budgets = await readBudgets(
    db,
    "key",
    keys.map(({ id }) => id),
  );
  const limited = keys.flatMap((key) => {
    const budget = budgets.get(key.id);
    return budget === undefined || budget.limitNanoUsd === null ? [] : [{ key, budget }];
  });
  const expiring = keys.filter(
    (key): key is KeyMention & { expiresAt: Date } =>
      key.expiresAt !== null && key.expiresAt.getTime() - now.getTime() < SOON_MS,
  );
  return {
    fullest: limited.toSorted((a, b) => fullness(b.budget) - fullness(a.budget)).slice(0, limit),
    expiring: expiring.toSorted((a, b) => a.expiresAt.getTime() - b.expiresAt.getTime()).slice(0, limit),
  };
}

/** Returns the names of keys that the actor sees; other keys are missing. */
export async function nameKeys(db: Db, actor: Actor, ids: readonly number[]): Promise<Map<number, string>> {
  const keys = ids.length === 0 ? [] : await mentionKeys(db, actor, ids);
  return new Map(keys.map(({ id, name }) => [id, name]));
}

function fullness({ limitNanoUsd, spentNanoUsd, heldNanoUsd }: BudgetView): number {
  return limitNanoUsd === null || limitNanoUsd === 0n ? 1 : Number(spentNanoUsd + heldNanoUsd) / Number(limitNanoUsd);
}
