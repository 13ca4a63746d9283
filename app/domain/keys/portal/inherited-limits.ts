import type { Db } from "~/connection/db.server";
import { readBalance, readBudget } from "~/domain/accounting/index.server";
import { type Actor, atLeast, scopeOf } from "~/domain/accounts/shared";
import { payerOf } from "../payer";
import { visibleKey } from "./read";
import type { InheritedLimit, InheritedLimits } from "./shared";
import { isProjectMember, type NamedKeyRow } from "./store";

/**
 * Returns the inherited limits of a key: every budget above it that has a limit, narrowest first, and the payer. People
 * see the amounts of their own budgets and of those they administer; of the others they see only how full they are.
 * @throws AppError not_found
 */
export async function readInheritedLimits(db: Db, actor: Actor, id: number): Promise<InheritedLimits> {
  const key = await visibleKey(db, actor, id);
  const [limits, payer] = await Promise.all([inheritedLimits(db, actor, key), readPayer(db, actor, key)]);
  return { limits, payer };
}

async function inheritedLimits(db: Db, actor: Actor, key: NamedKeyRow): Promise<InheritedLimit[]> {
  const scopes = [
    { scope: "user", id: key.userId, name: key.ownerName || (key.ownerEmail ?? "") },
    { scope: "department", id: key.departmentId, name: key.departmentName ?? "" },
    { scope: "project", id: key.projectId, name: key.projectName ?? "" },
    { scope: "organisation", id: key.organisationId, name: key.organisationName },
  ] as const;
  const found = await Promise.all(
    scopes.map(async ({ scope, id, name }) => {
      const budget = id === null ? null : await readBudget(db, { kind: scope, id });
      if (id === null || budget === null || budget.limitNanoUsd === null) return null;
      const { limitNanoUsd, spentNanoUsd, heldNanoUsd, period, resetsAt } = budget;
      const amounts = { limitNanoUsd, spentNanoUsd, heldNanoUsd, availableNanoUsd: budget.availableNanoUsd ?? 0n };
      return {
        scope,
        id,
        name,
        period,
        resetsAt,
        spentShare: shareOf(spentNanoUsd, limitNanoUsd),
        heldShare: shareOf(heldNanoUsd, limitNanoUsd),
        amounts: (await mayReadLimit(db, actor, key, scope)) ? amounts : null,
      };
    }),
  );
  return found.filter((limit) => limit !== null);
}

async function readPayer(db: Db, actor: Actor, key: NamedKeyRow): Promise<InheritedLimits["payer"]> {
  const { payer, name, reason, walletId, exempt } = await payerOf(db, key);
  const isOwn = payer.kind === "user" && payer.id === actor.userId;
  const knows = !exempt && (isOwn || atLeast(actor.role, "org_admin"));
  return {
    kind: payer.kind,
    name,
    reason,
    exempt,
    availableNanoUsd: knows ? (await readBalance(db, walletId)).availableNanoUsd : null,
  };
}

async function mayReadLimit(db: Db, actor: Actor, key: NamedKeyRow, scope: InheritedLimit["scope"]): Promise<boolean> {
  if (atLeast(actor.role, "org_admin")) return true;
  if (scope === "user") return key.userId === actor.userId || scopeOf(actor).kind !== "own";
  if (scope === "department") return actor.role === "department_admin" && key.departmentId === actor.departmentId;
  return scope === "project" && key.projectId !== null && isProjectMember(db, key.projectId, actor.userId);
}

/** A limit of 0 counts as full. */
const shareOf = (part: bigint, limit: bigint): number => (limit === 0n ? 1 : Number((part * 10_000n) / limit) / 10_000);
