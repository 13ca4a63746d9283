import { randomBytes } from "node:crypto";
import { config } from "~/config.server";
import { apiError } from "~/errors/app-error";
import { isAllowedUrl, normalisedUrl } from "~/network/public-address";
import { isSealed, openAddress, sealAddress } from "~/sealing/sealed-address.server";
import { CannotOpen, seal } from "~/sealing/sealing.server";
import { unreachable } from "~/values/unreachable";
import {
  GUARDRAIL_WEBHOOK_FAILURES,
  type GuardrailHolder,
  type GuardrailWebhook,
  type GuardrailWebhookChange,
  StoredGuardrailWebhook,
  type WebhookView,
} from "./shared";

const DAY_MS = 86_400_000;

const placeOf = ({ kind, id }: GuardrailHolder): string => `guardrail_webhook:${kind}:${id}`;

/** A secret in the format of Standard Webhooks: 24 to 64 random bytes. */
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/**
 * Parses the stored webhook of an organisation or a key; null: none. An invalid one refuses every request until it is
 * saved again or removed.
 */
export function readWebhook(stored: unknown, holder: GuardrailHolder): GuardrailWebhook | null {
  if (stored === null || stored === undefined) return null;
  const data = opened(stored, holder);
  const location = placeOf(holder);
  return data === null
    ? { ...UNREADABLE, by: holder.kind, place: location, secrets: [] }
    : { ...data, by: holder.kind, place: location, secrets: [{ sealed: data.secret, until: null }, ...data.previous] };
}

/** Returns a stored webhook with its address decrypted; null: there is none, or it is invalid. */
function opened(stored: unknown, holder: GuardrailHolder): StoredGuardrailWebhook | null {
  const { data } = StoredGuardrailWebhook.safeParse(stored);
  if (data === undefined) return null;
  try {
    return { ...data, url: openAddress(data.url, placeOf(holder)) };
  } catch (error) {
    if (error instanceof CannotOpen) return null;
    throw error;
  }
}

/** Returns the webhook with its address sealed; null: nothing to seal. */
export function withSealedAddress(stored: unknown, holder: GuardrailHolder): StoredGuardrailWebhook | null {
  const { data } = StoredGuardrailWebhook.safeParse(stored);
  if (data === undefined || isSealed(data.url)) return null;
  return { ...data, url: sealAddress(data.url, placeOf(holder)) };
}

const UNREADABLE = { url: "", timeoutMs: 0, onFailure: GUARDRAIL_WEBHOOK_FAILURES[0] };

/**
 * Returns the display form of a webhook. The address may contain credentials of the receiver, so only editors see it.
 */
export function viewOfWebhook(webhook: GuardrailWebhook | null, mayChange: boolean): WebhookView | null {
  if (webhook === null) return null;
  const { url, timeoutMs, onFailure } = webhook;
  return { host: hostOf(url), url: mayChange ? url : null, timeoutMs, onFailure };
}

/**
 * Returns a changed webhook, and its secret to show if it is new. After `rotate`, the previous secret signs for one
 * more day. With `isSealing`, the address is stored sealed.
 * @throws AppError invalid_request for an address that is not https, contains a password or is private; not_found
 */
export function changedWebhook(
  stored: unknown,
  change: GuardrailWebhookChange,
  holder: GuardrailHolder & { isSealing: boolean },
): { stored: StoredGuardrailWebhook | null; secret: string | null } {
  const before = StoredGuardrailWebhook.safeParse(stored).data ?? null;
  switch (change.kind) {
    case "save": {
      const { timeoutMs, onFailure } = change;
      if (!isAllowedUrl(change.url, config().allowPrivateWebhooks))
        throw apiError("invalid_request", { key: "problems:webhookUrl", param: "url" });
      const clear = normalisedUrl(change.url);
      const url = holder.isSealing ? sealAddress(clear, placeOf(holder)) : clear;
      if (before !== null) return { stored: { ...before, url, timeoutMs, onFailure }, secret: null };
      const secret = newSecret();
      const sealed = seal(secret, placeOf(holder));
      return { stored: { url, timeoutMs, onFailure, secret: sealed, previous: [] }, secret };
    }
    case "rotate": {
      if (before === null) throw apiError("not_found");
      const secret = newSecret();
      const previous = [{ sealed: before.secret, until: new Date(Date.now() + DAY_MS).toISOString() }];
      return { stored: { ...before, secret: seal(secret, placeOf(holder)), previous }, secret };
    }
    case "remove":
      if (stored === null || stored === undefined) throw apiError("not_found");
      return { stored: null, secret: null };
    default:
      return unreachable(change);
  }
}

/** A webhook for the audit log: the host, without the rest of the address and the secret. */
export function describeWebhook(stored: unknown, holder: GuardrailHolder): { webhook: string | null } {
  const data = opened(stored, holder);
  return {
    webhook: data === null ? null : `${hostOf(data.url)} (${data.timeoutMs} ms, on failure ${data.onFailure})`,
  };
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "–");
