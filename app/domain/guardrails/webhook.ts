import { randomBytes } from "node:crypto";
import { config } from "~/config.server";
import { apiError } from "~/errors/app-error";
import { isAllowedUrl, normalisedUrl } from "~/public-address";
import { seal } from "~/sealing.server";
import { unreachable } from "~/unreachable";
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

/** As Standard Webhooks writes secrets: 24 to 64 random bytes. */
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/**
 * The webhook of an organisation or a key as it is stored, ready to be asked; null where there is none. One that cannot be read
 * refuses every request until it is saved anew or removed.
 */
export function readWebhook(stored: unknown, holder: GuardrailHolder): GuardrailWebhook | null {
  if (stored === null || stored === undefined) return null;
  const { data } = StoredGuardrailWebhook.safeParse(stored);
  const place = placeOf(holder);
  return data === undefined
    ? { ...UNREADABLE, by: holder.kind, place, secrets: [] }
    : { ...data, by: holder.kind, place, secrets: [{ sealed: data.secret, until: null }, ...data.previous] };
}

const UNREADABLE = { url: "", timeoutMs: 0, onFailure: GUARDRAIL_WEBHOOK_FAILURES[0] };

/** What the page shows of it. The address only to who may change it: it may hold a password of the receiver's. */
export function viewOfWebhook(webhook: GuardrailWebhook | null, mayChange: boolean): WebhookView | null {
  if (webhook === null) return null;
  const { url, timeoutMs, onFailure } = webhook;
  return { host: hostOf(url), url: mayChange ? url : null, timeoutMs, onFailure };
}

/**
 * A webhook once it is changed, and the secret that is to be shown: of one that is new, and of `rotate`, which lets the one before
 * sign for another day.
 * @throws AppError invalid_request for an address that is not https, has a password in it or is a private one; not_found
 */
export function changedWebhook(
  stored: unknown,
  change: GuardrailWebhookChange,
  holder: GuardrailHolder,
): { stored: StoredGuardrailWebhook | null; secret: string | null } {
  const before = StoredGuardrailWebhook.safeParse(stored).data ?? null;
  switch (change.kind) {
    case "save": {
      const { timeoutMs, onFailure } = change;
      if (!isAllowedUrl(change.url, config().allowPrivateWebhooks))
        throw apiError("invalid_request", { key: "problems:webhookUrl", param: "url" });
      const url = normalisedUrl(change.url);
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

/** A webhook for the audit log: where to, without what stands behind the host, and never the secret. */
export function describeWebhook(stored: unknown): { webhook: string | null } {
  const { data } = StoredGuardrailWebhook.safeParse(stored);
  return {
    webhook: data === undefined ? null : `${hostOf(data.url)} (${data.timeoutMs} ms, on failure ${data.onFailure})`,
  };
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "–");
