import type { Db } from "~/connection/db.server";
import type { AuditRunView } from "./shared";

type Sums = Pick<AuditRunView, "clearingNanoUsd" | "creditedNanoUsd" | "chargedCents" | "returnedCents">;

/**
 * Sums the money that came through the processor, by the ledger's account and by the recorded payments, in one
 * statement.
 */
export async function sumClearing(db: Db): Promise<Sums> {
  const [row] = await db.$queryRaw<Sums[]>`
    SELECT (SELECT coalesce(-sum(posted), 0)::bigint FROM ledger_account WHERE kind = 'processor_clearing') AS "clearingNanoUsd",
           coalesce(sum(CASE WHEN p.credited_txn IS NULL THEN 0 ELSE p.amount END - p.reversed), 0)::bigint AS "creditedNanoUsd",
           coalesce(sum(p.charged_cents) FILTER (WHERE p.state = 'paid'), 0)::bigint AS "chargedCents",
           coalesce(sum(payment_returned_cents(p)) FILTER (WHERE p.state = 'paid'), 0)::bigint AS "returnedCents"
      FROM payment p`;
  return row!;
}

/** Inserts a run, and deletes those before the last `retained`. */
export async function insertRun(
  db: Db,
  run: Sums & Pick<AuditRunView, "startedAt" | "defects" | "processor" | "balanceCents">,
  retained: number,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO audit_run (started_at, finished_at, defects, clearing, credited, charged_cents, returned_cents, processor, balance_cents)
    VALUES (${run.startedAt}, now(), ${JSON.stringify(run.defects)}::jsonb, ${run.clearingNanoUsd}::bigint, ${run.creditedNanoUsd}::bigint,
            ${run.chargedCents}::bigint, ${run.returnedCents}::bigint, ${run.processor}, ${run.balanceCents}::bigint)`;
  await db.$executeRaw`DELETE FROM audit_run WHERE id <= (SELECT max(id) - ${retained}::int FROM audit_run)`;
}

export async function findLatestRun(db: Db): Promise<AuditRunView | null> {
  const [row] = await db.$queryRaw<AuditRunView[]>`
    SELECT started_at AS "startedAt", finished_at AS "finishedAt", defects, clearing AS "clearingNanoUsd", credited AS "creditedNanoUsd",
           charged_cents AS "chargedCents", returned_cents AS "returnedCents", processor, balance_cents AS "balanceCents"
      FROM audit_run ORDER BY id DESC LIMIT 1`;
  return row ?? null;
}

/** Returns when the last run began, and whether it found no defect. */
export async function findLatestOutcome(db: Db): Promise<{ at: Date; isEqual: boolean } | null> {
  const [row] = await db.$queryRaw<{ at: Date; isEqual: boolean }[]>`
    SELECT started_at AS at, jsonb_array_length(defects) = 0 AS "isEqual" FROM audit_run ORDER BY id DESC LIMIT 1`;
  return row ?? null;
}

/** Returns the names of the organisations and keys of calls, by id. */
export async function nameParties(db: Db, parties: readonly { organisationId: number; keyId: number }[]) {
  const [organisations, keys] = await Promise.all([
    db.organisation.findMany({
      where: { id: { in: parties.map(({ organisationId }) => organisationId) } },
      select: { id: true, name: true },
    }),
    db.apiKey.findMany({ where: { id: { in: parties.map(({ keyId }) => keyId) } }, select: { id: true, name: true } }),
  ]);
  const byId = (rows: readonly { id: number; name: string }[]) => new Map(rows.map(({ id, name }) => [id, name]));
  return { organisations: byId(organisations), keys: byId(keys) };
}
