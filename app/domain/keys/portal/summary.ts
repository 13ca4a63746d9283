import type { Db } from "~/db.server";
import { readBudgets } from "~/domain/accounting/index.server";
import type { BudgetView } from "~/domain/accounting/shared";
import type { Actor } from "~/domain/identity/shared";
import { type KeyMention, mentionActiveKeys, mentionKeys } from "./store";

/** So many of the newest usable keys are looked at. */
const LOOKED_AT = 1_000;
const SOON_MS = 7 * 86_400_000;

export type KeySummary = {
  /** Usable keys with a limit, the fullest first. */
  fullest: { key: KeyMention; budget: BudgetView }[];
  /** Keys that end within a week, the next first. */
  expiring: (KeyMention & { expiresAt: Date })[];
};

/** What somebody should know about the keys of their scope at a glance; at most `limit` of each kind. */
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

/** The names of keys that the actor sees; those they do not see are missing. */
export async function nameKeys(db: Db, actor: Actor, ids: readonly number[]): Promise<Map<number, string>> {
  const keys = ids.length === 0 ? [] : await mentionKeys(db, actor, ids);
  return new Map(keys.map(({ id, name }) => [id, name]));
}

function fullness({ limitNanoUsd, spentNanoUsd, heldNanoUsd }: BudgetView): number {
  return limitNanoUsd === null || limitNanoUsd === 0n ? 1 : Number(spentNanoUsd + heldNanoUsd) / Number(limitNanoUsd);
}
