import type { Db } from "~/db.server";

/** Somebody who runs the installation. */
export type Operator = { email: string; name: string; language: string | null; organisationId: number };

/** How much there is to tell them about. */
export type PaymentProblems = { events: number; mismatches: number; pauses: number };

/** Takes what they have not been told: the emails belong into the same transaction. */
export async function takeProblems(tx: Db): Promise<PaymentProblems> {
  const events =
    await tx.$executeRaw`UPDATE processor_event SET told_at = app_now() WHERE state = 'dead' AND told_at IS NULL`;
  const mismatches = await tx.$executeRaw`UPDATE payment_mismatch SET told_at = app_now() WHERE told_at IS NULL`;
  const pauses =
    await tx.$executeRaw`UPDATE auto_topup_pause SET operators_told_at = app_now() WHERE operators_told_at IS NULL`;
  return { events, mismatches, pauses };
}

export function listOperators(tx: Db): Promise<Operator[]> {
  return tx.$queryRaw`
    SELECT email, name, language, organisation_id AS "organisationId" FROM app_user
     WHERE role IN ('owner', 'platform_admin') AND status = 'active' ORDER BY id LIMIT 100`;
}
