import { randomBytes, randomUUID } from "node:crypto";
import { config } from "~/config.server";
import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { apiError } from "~/errors/app-error";
import { isAllowedUrl, normalisedUrl } from "~/network/public-address";
import { mayBeSealed, openAddress, sealAddress } from "~/sealing/sealed-address.server";
import { CannotOpen, seal, unseal } from "~/sealing/sealing.server";
import { sendWebhook, type WebhookOutcome } from "./send-webhook";
import type { WebhookView } from "./shared";
import {
  claimTest,
  deleteWebhook,
  findClearWebhooks,
  findWebhook,
  putWebhook,
  recordAttempt,
  replaceAddress,
  replaceSecret,
  type WebhookRow,
} from "./webhook-store";

const placeOf = (userId: number) => `alert_webhook:${userId}`;
/** Creates a secret in the format of Standard Webhooks: 24 to 64 random bytes. */
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/** Returns an actor's webhook without its secret; null: none. */
export async function readWebhook(db: Db, actor: Pick<Actor, "userId">): Promise<WebhookView | null> {
  const row = await findWebhook(db, actor.userId);
  if (row === null) return null;
  const { disabledAt, lastAttemptAt, lastStatus, lastError, failures } = row;
  return { url: addressOf(row) ?? "", disabledAt, lastAttemptAt, lastStatus, lastError, failures };
}

/**
 * Sends an actor's alerts to `url` as well; re-enables a disabled webhook. Returns the secret of a new webhook, else null, because a secret
 * is shown only once. Audited.
 * @throws AppError invalid_request when the URL is not https, has a password, or is a private address
 */
export async function saveWebhook(db: Db, actor: Actor, url: string): Promise<string | null> {
  if (!isAllowedUrl(url, config().allowPrivateWebhooks))
    throw apiError("invalid_request", { key: "problems:webhookUrl", param: "url" });
  const secret = newSecret();
  return inTransaction(db, async (tx) => {
    const location = placeOf(actor.userId);
    const address = normalisedUrl(url);
    const stored = (await mayBeSealed(tx)) ? sealAddress(address, location) : address;
    const isNew = await putWebhook(tx, actor.userId, stored, seal(secret, location));
    await note(tx, actor, "webhook", { host: new URL(url).host });
    return isNew ? secret : null;
  });
}

/** Encrypts addresses stored in plain text by an earlier release. Returns the number; safe to repeat. */
export async function sealAlertWebhooks(db: Db): Promise<number> {
  let count = 0;
  for (const { userId, url } of await findClearWebhooks(db))
    count += await replaceAddress(db, userId, { from: url, to: sealAddress(url, placeOf(userId)) });
  return count;
}

/** Rotates the secret and returns the new one; the previous one also signs for one more day. Audited. @throws AppError not_found */
export async function rotateWebhookSecret(db: Db, actor: Actor): Promise<string> {
  const secret = newSecret();
  await inTransaction(db, async (tx) => {
    if (!(await replaceSecret(tx, actor.userId, seal(secret, placeOf(actor.userId))))) throw apiError("not_found");
    await note(tx, actor, "webhook_secret", {});
  });
  return secret;
}

/** Removes the webhook. Audited. Safe to repeat. */
export async function removeWebhook(db: Db, actor: Actor): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (await deleteWebhook(tx, actor.userId)) await note(tx, actor, "webhook_remove", {});
  });
}

/** Sends a message of type `test` and returns the answer. @throws AppError not_found; rate_limit_exceeded within ten seconds */
export async function testWebhook(db: Db, actor: Pick<Actor, "userId">): Promise<WebhookOutcome> {
  const row = await findWebhook(db, actor.userId);
  if (row === null) throw apiError("not_found");
  if (!(await claimTest(db, actor.userId))) throw apiError("rate_limit_exceeded", { retryAfterSeconds: 10 });
  const body = JSON.stringify({ type: "test", timestamp: new Date().toISOString(), data: {} });
  return sendTo(row, { id: `test_${randomUUID()}`, body });
}

/** Sends a message to a person's webhook; null: none, or disabled. `disabled`: this failure disabled it. */
export async function sendToWebhook(
  db: Db,
  userId: number,
  message: { id: string; body: string },
): Promise<(WebhookOutcome & { disabled: boolean }) | null> {
  const row = await findWebhook(db, userId);
  if (row === null || row.disabledAt !== null) return null;
  const outcome = await sendTo(row, message);
  return { ...outcome, disabled: await recordAttempt(db, userId, outcome) };
}

/** The decrypted address; null: no GW_SECRET decrypts it. */
function addressOf({ url, userId }: WebhookRow): string | null {
  try {
    return openAddress(url, placeOf(userId));
  } catch (error) {
    if (error instanceof CannotOpen) return null;
    throw error;
  }
}

function sendTo(row: WebhookRow, message: { id: string; body: string }): Promise<WebhookOutcome> {
  const sealed = [row.secret, ...(row.previousSecret === null ? [] : [row.previousSecret])];
  const secrets = sealed.map((secret) => unseal(secret, placeOf(row.userId)));
  return sendWebhook({
    url: openAddress(row.url, placeOf(row.userId)),
    secrets,
    ...message,
    allowPrivate: config().allowPrivateWebhooks,
  });
}

async function note(
  tx: Db,
  actor: Actor,
  event: "webhook" | "webhook_secret" | "webhook_remove",
  after: Record<string, unknown>,
): Promise<void> {
  await recordAuditEvent(tx, {
    by: { userId: actor.userId, label: actor.email, address: actor.address },
    action: `user.alerts_${event}`,
    target: { kind: "user", id: actor.userId, label: actor.email },
    organisationId: actor.organisationId,
    subjectUserId: actor.userId,
    after,
  });
}
