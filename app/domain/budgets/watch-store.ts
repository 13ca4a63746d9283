import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { BudgetPeriod, BudgetScope } from "../accounting/shared";
import type { AlertSettings } from "./shared";
import type { Raised, Reading, Watch } from "./step";

/** A budget or wallet with possible alerts. */
export type Subject = {
  kind: "budget" | "wallet";
  id: bigint;
  scope: BudgetScope | "wallet";
  scopeId: number;
  scopeName: string;
  organisationId: number;
  /** The person who owns it; null: a group does. */
  ownerId: number | null;
  departmentId: number | null;
};

export type SubjectRow = Subject & {
  period: BudgetPeriod | null;
  periodStart: Date;
  resetsAt: Date | null;
  limitNanoUsd: bigint;
  spentNanoUsd: bigint;
  heldNanoUsd: bigint;
  refusedAt: Date | null;
};

const EPOCH = Prisma.sql`'epoch'::timestamptz`;

/** Recent rejections, from a time span much longer than the job's interval. A burst is one row for up to an hour. */
const REFUSALS = Prisma.sql`
  SELECT r.scope, CASE r.scope WHEN 'key' THEN k.id WHEN 'user' THEN k.user_id WHEN 'department' THEN k.department_id
                               WHEN 'project' THEN k.project_id WHEN 'wallet' THEN r.wallet_id ELSE k.organisation_id END AS scope_id, max(r.last_at) AS at
    FROM gateway_refusal r JOIN api_key k ON k.id = r.key_id
   WHERE r.at > app_now() - interval '80 minutes' AND r.last_at > app_now() - interval '10 minutes' AND r.scope IS NOT NULL GROUP BY 1, 2`;

/** Budgets with a limit, of organisations with at least one subscriber. */
const budgets = (which: Prisma.Sql) => Prisma.sql`
  SELECT 'budget' AS kind, b.id, b.scope_kind::text AS scope, b.scope_id AS "scopeId", b.organisation_id AS "organisationId", b.period::text AS period,
         CASE WHEN b.period = 'rolling' THEN ${EPOCH} ELSE s.start END AS "periodStart",
         CASE WHEN b.period = 'rolling' THEN NULL ELSE budget_period_end(b.period, s.start) END AS "resetsAt",
         b.limit_amt AS "limitNanoUsd", coalesce(c.spent, 0)::bigint AS "spentNanoUsd", coalesce(c.held, 0)::bigint AS "heldNanoUsd",
         CASE WHEN r.at > b.updated_at AND (b.period = 'rolling' OR r.at >= s.start) THEN r.at END AS "refusedAt"
    FROM budget b
    CROSS JOIN LATERAL (SELECT budget_period_start(b.period, app_now()) AS start) s
    LEFT JOIN LATERAL (SELECT sum(x.spent) AS spent, sum(x.held) AS held FROM budget_counter x
                        WHERE x.budget_id = b.id AND x.period_start BETWEEN budget_window_start(b.period, s.start) AND s.start) c ON true
    LEFT JOIN refused r ON r.scope = b.scope_kind AND r.scope_id = b.scope_id
   WHERE b.active AND b.limit_amt IS NOT NULL AND ${which}`;

/** Wallets of payers that are not exempt. */
const wallets = (which: Prisma.Sql) => Prisma.sql`
  SELECT 'wallet', b.id, 'wallet', b.payer_id, b.organisation_id, NULL, ${EPOCH}, NULL::timestamptz,
         (b.posted + b.credit_limit)::bigint, 0::bigint, b.held, r.at
    FROM ledger_account b LEFT JOIN refused r ON r.scope = 'wallet' AND r.scope_id = b.id WHERE b.kind = 'wallet' AND NOT b.exempt AND ${which}`;

const SOMEBODY_IS_TOLD = Prisma.sql`EXISTS (
  SELECT FROM alert_setting t JOIN app_user u ON u.id = t.user_id WHERE t.active AND u.organisation_id = b.organisation_id)`;

/** Returns the budgets and wallets that have changed since their last evaluation, by kind and id. */
export function listChanged(db: Db, limit: number): Promise<Pick<Subject, "kind" | "id">[]> {
  return db.$queryRaw`
    WITH refused AS (${REFUSALS}), now_is AS (${budgets(SOMEBODY_IS_TOLD)} UNION ALL ${wallets(SOMEBODY_IS_TOLD)})
    SELECT n.kind, n.id FROM now_is n LEFT JOIN alert_watch w ON w.subject_kind = n.kind AND w.subject_id = n.id
     WHERE (w.limit_amt, w.spent, w.period_start) IS DISTINCT FROM
           (n."limitNanoUsd", CASE n.kind WHEN 'wallet' THEN n."heldNanoUsd" ELSE n."spentNanoUsd" END, n."periodStart")
        OR (n."refusedAt" > w.refusals_to AND w.refused_left IS NULL)
     ORDER BY n.kind, n.id LIMIT ${limit}::int`;
}

/** Returns the current state and owner of a subject; null: it has no limit any more. */
export async function readSubject(db: Db, { kind, id }: Pick<Subject, "kind" | "id">): Promise<SubjectRow | null> {
  const [row] = await db.$queryRaw<SubjectRow[]>`
    WITH refused AS (${REFUSALS}), found AS (
      ${budgets(kind === "budget" ? Prisma.sql`b.id = ${id}::bigint` : Prisma.sql`false`)} UNION ALL
      ${wallets(kind === "wallet" ? Prisma.sql`b.id = ${id}::bigint` : Prisma.sql`false`)})
    SELECT f.*, coalesce(nullif(k.name, ''), nullif(u.name, ''), u.email, d.name, p.name, o.name, '') AS "scopeName",
           coalesce(k.user_id, u.id) AS "ownerId", coalesce(k.department_id, u.department_id, d.id) AS "departmentId"
      FROM found f
      LEFT JOIN ledger_account a ON f.kind = 'wallet' AND a.id = f.id
      CROSS JOIN LATERAL (SELECT coalesce(a.payer_kind::text, f.scope) AS of) payer
      LEFT JOIN api_key k ON payer.of = 'key' AND k.id = f."scopeId"
      LEFT JOIN app_user u ON payer.of = 'user' AND u.id = f."scopeId"
      LEFT JOIN department d ON payer.of = 'department' AND d.id = f."scopeId"
      LEFT JOIN project p ON payer.of = 'project' AND p.id = f."scopeId"
      LEFT JOIN organisation o ON payer.of = 'organisation' AND o.id = f."scopeId"`;
  return row ?? null;
}

export type Recipient = Pick<AlertSettings, "thresholds" | "lowBalanceNanoUsd"> & {
  userId: number;
  asManager: boolean;
};

/** Returns the recipients of a subject's alerts: its owner, and its managers who consent. All are in its organisation. */
export function listRecipients(db: Db, subject: Subject): Promise<Recipient[]> {
  const { organisationId, ownerId, departmentId } = subject;
  return db.$queryRaw`
    SELECT s.user_id AS "userId", s.thresholds, s.low_balance AS "lowBalanceNanoUsd",
           u.id IS DISTINCT FROM ${ownerId}::int AS "asManager"
      FROM alert_setting s JOIN app_user u ON u.id = s.user_id
     WHERE s.active AND u.status = 'active' AND u.organisation_id = ${organisationId}::int
       AND (u.id = ${ownerId}::int
         OR (s.consented_at IS NOT NULL AND (u.role IN ('owner', 'platform_admin', 'org_admin')
              OR (u.role = 'department_admin' AND u.department_id = ${departmentId}::int))))
     ORDER BY s.user_id`;
}

/** Locks and returns the stored state; without one, stores `first`. */
export async function lockWatch(tx: Db, { kind, id }: Pick<Subject, "kind" | "id">, first: Watch): Promise<Watch> {
  await tx.$executeRaw`
    INSERT INTO alert_watch (subject_kind, subject_id, period_start, limit_amt, spent, fired, refusals_to, round)
    VALUES (${kind}, ${id}::bigint, ${first.periodStart}::timestamptz, ${first.limitNanoUsd}::bigint, ${first.spentNanoUsd}::bigint,
            '{}', ${first.refusalsTo}::timestamptz, 0) ON CONFLICT DO NOTHING`;
  const [row] = await tx.$queryRaw<Watch[]>`
    SELECT period_start AS "periodStart", limit_amt AS "limitNanoUsd", spent AS "spentNanoUsd", fired,
           refused_left AS "refusedLeftNanoUsd", refusals_to AS "refusalsTo", round
      FROM alert_watch WHERE subject_kind = ${kind} AND subject_id = ${id}::bigint FOR NO KEY UPDATE`;
  return row!;
}

export async function writeWatch(
  tx: Db,
  { kind, id }: Pick<Subject, "kind" | "id">,
  watch: Watch,
  reading: Reading,
): Promise<void> {
  // A wallet's held amount changes between two postings.
  const moved = kind === "wallet" ? reading.heldNanoUsd : watch.spentNanoUsd;
  await tx.$executeRaw`
    UPDATE alert_watch SET period_start = ${watch.periodStart}::timestamptz, limit_amt = ${watch.limitNanoUsd}::bigint, spent = ${moved}::bigint,
           fired = ${watch.fired.map(String)}::text[]::bigint[], refused_left = ${watch.refusedLeftNanoUsd}::bigint,
           refusals_to = ${watch.refusalsTo}::timestamptz, round = ${watch.round}::int
     WHERE subject_kind = ${kind} AND subject_id = ${id}::bigint`;
}

/** Stores an alert and returns its id; null: it was stored before. */
export async function insertAlert(
  tx: Db,
  row: SubjectRow,
  raised: Raised & { runsOutAt: Date | null },
): Promise<bigint | null> {
  const [alert] = await tx.$queryRaw<{ id: bigint }[]>`
    INSERT INTO alert (subject_kind, subject_id, scope_kind, scope_id, scope_name, organisation_id, kind, threshold, period,
                       period_start, round, limit_amt, spent, held, resets_at, runs_out_at)
    VALUES (${row.kind}, ${row.id}::bigint, ${row.scope}, ${row.scopeId}::int, ${row.scopeName}, ${row.organisationId}::int,
            ${raised.kind}, ${raised.threshold}::bigint, ${row.period}, ${row.periodStart}::timestamptz, ${raised.round}::int,
            ${row.limitNanoUsd}::bigint, ${row.spentNanoUsd}::bigint, ${row.heldNanoUsd}::bigint, ${row.resetsAt}::timestamptz,
            ${raised.runsOutAt}::timestamptz)
    ON CONFLICT DO NOTHING RETURNING id`;
  return alert?.id ?? null;
}
