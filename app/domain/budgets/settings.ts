import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { recordAuditEvent } from "../activity/index.server";
import { type AlertSettings, CONSENT_VERSION, DEFAULT_THRESHOLDS } from "./shared";

/** Returns an actor's alert settings; without stored settings, the defaults, inactive. */
export async function readAlertSettings(db: Db, actor: Pick<Actor, "userId">): Promise<AlertSettings> {
  const [row] = await db.$queryRaw<AlertSettings[]>`
    SELECT active, thresholds, low_balance AS "lowBalanceNanoUsd", consented_at AS "consentedAt", consent_version AS "consentVersion"
      FROM alert_setting WHERE user_id = ${actor.userId}::int`;
  return (
    row ?? {
      active: false,
      thresholds: [...DEFAULT_THRESHOLDS],
      lowBalanceNanoUsd: null,
      consentedAt: null,
      consentVersion: null,
    }
  );
}

/** Changes an actor's alert settings; absent fields stay. Audited. Safe to repeat. */
export async function changeAlertSettings(
  db: Db,
  actor: Actor,
  change: Partial<Pick<AlertSettings, "active" | "thresholds" | "lowBalanceNanoUsd">>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await readAlertSettings(tx, actor);
    const { active, thresholds, lowBalanceNanoUsd } = { ...before, ...change };
    await tx.$executeRaw`
      INSERT INTO alert_setting (user_id, active, thresholds, low_balance)
      VALUES (${actor.userId}::int, ${active}, ${thresholds}::int[]::smallint[], ${lowBalanceNanoUsd}::bigint)
      ON CONFLICT (user_id) DO UPDATE SET active = excluded.active, thresholds = excluded.thresholds,
        low_balance = excluded.low_balance, updated_at = app_now()`;
    await note(tx, actor, "alerts", { active, thresholds, lowBalanceNanoUsd });
  });
}

/** Records an actor's consent to alerts about the budgets they manage, and activates alerts. Audited. Safe to repeat. */
export async function consentToAlerts(db: Db, actor: Actor): Promise<void> {
  await inTransaction(db, async (tx) => {
    const thresholds = [...DEFAULT_THRESHOLDS];
    await tx.$executeRaw`
      INSERT INTO alert_setting (user_id, active, thresholds, consented_at, consent_version)
      VALUES (${actor.userId}::int, true, ${thresholds}::int[]::smallint[], app_now(), ${CONSENT_VERSION})
      ON CONFLICT (user_id) DO UPDATE SET active = true, consented_at = app_now(), consent_version = excluded.consent_version,
        updated_at = app_now()`;
    await note(tx, actor, "alerts_consent", { version: CONSENT_VERSION });
  });
}

/** Withdraws the consent: unsent alerts are no longer sent. Audited. Safe to repeat. */
export async function revokeAlertConsent(db: Db, actor: Actor): Promise<void> {
  await inTransaction(db, async (tx) => {
    const changed = await tx.$executeRaw`
      UPDATE alert_setting SET consented_at = NULL, consent_version = NULL, updated_at = app_now()
       WHERE user_id = ${actor.userId}::int AND consented_at IS NOT NULL`;
    if (changed > 0) await note(tx, actor, "alerts_revoke", {});
  });
}

async function note(
  tx: Db,
  actor: Actor,
  event: "alerts" | "alerts_consent" | "alerts_revoke",
  after: Record<string, unknown>,
): Promise<void> {
  await recordAuditEvent(tx, {
    by: { userId: actor.userId, label: actor.email, address: actor.address },
    action: `user.${event}`,
    target: { kind: "user", id: actor.userId, label: actor.email },
    organisationId: actor.organisationId,
    subjectUserId: actor.userId,
    after,
  });
}
