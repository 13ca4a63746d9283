import type { Db } from "~/connection/db.server";

/** An owner or platform admin. */
export type Operator = { email: string; name: string; language: string | null; organisationId: number };

/** Numbers of problems to report. */
export type PaymentProblems = { events: number; mismatches: number; pauses: number; connection: number };

/** Claims problems that were not reported yet; the emails must be written in the same transaction. */
export async function takeProblems(tx: Db): Promise<PaymentProblems> {
  const events =
    await tx.$executeRaw`UPDATE processor_event SET told_at = app_now() WHERE state = 'dead' AND told_at IS NULL`;
  const mismatches = await tx.$executeRaw`UPDATE payment_mismatch SET told_at = app_now() WHERE told_at IS NULL`;
  const pauses =
    await tx.$executeRaw`UPDATE auto_topup_pause SET operators_told_at = app_now() WHERE operators_told_at IS NULL`;
  const connection = await tx.$executeRaw`UPDATE processor_problem SET told_at = app_now() WHERE told_at IS NULL`;
  return { events, mismatches, pauses, connection };
}

export function listOperators(tx: Db): Promise<Operator[]> {
  return tx.$queryRaw`
    SELECT email, name, language, organisation_id AS "organisationId" FROM app_user
     WHERE role IN ('owner', 'platform_admin') AND status = 'active' ORDER BY id LIMIT 100`;
}
