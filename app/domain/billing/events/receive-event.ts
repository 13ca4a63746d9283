import Stripe from "stripe";
import { z } from "zod";
import type { Db } from "~/connection/db.server";
import { apiError } from "~/errors/app-error";
import { log } from "~/observe/log.server";
import { recordProblem } from "../connection/problems";
import { processor, processorSettings } from "../processor";
import { type EventFacts, factsOf } from "./event-facts";
import { insertEvent } from "./event-store";

/** Maximum difference between the time of a signature and the local clock, in seconds, in both directions. */
const SKEW_SECONDS = 300;
/** End of the year 9999. */
const LATEST_SECONDS = 253_402_300_799;

/** The envelope of every event of the processor; its object is parsed by type. */
const Envelope = z.object({
  id: z.string().regex(/^[\x21-\x7e]{1,255}$/),
  type: z.string().regex(/^[\x21-\x7e]{1,255}$/),
  livemode: z.boolean(),
  created: z.number().int().min(0).max(LATEST_SECONDS),
  /** The connected account of the event; absent for the account itself. */
  account: z.string().nullish(),
  data: z.object({ object: z.unknown() }),
});
type Envelope = z.infer<typeof Envelope>;

/** The payload of an endpoint for thin events: the event's name without its object. */
const ThinEvent = z.object({ object: z.literal("v2.core.event"), type: z.string() });

/** A recorded event. `isOwn`: of the account itself, not of a connected account. */
export type ReceivedEvent = { id: string; isOwn: boolean };

/**
 * Receives an event that the processor delivers; `payload` is the unmodified body. The event is recorded when this
 * resolves, and the result is the input of `handleEvent`. Repeating it only counts a delivery. Sales of connected
 * accounts do not concern gw: their events, of either mode, are recorded as ignored.
 * @throws AppError invalid_request when the signature is missing, wrong or too old, the mode differs, or the body is
 *   not an event; billing_unavailable when no processor is configured.
 */
export async function receiveEvent(db: Db, payload: Uint8Array, signature: string | null): Promise<ReceivedEvent> {
  const { webhookSecrets, livemode } = processorSettings();
  const delivered = verified(payload, signature, webhookSecrets);
  const event = envelopeOf(delivered);
  if (event === null) {
    const thin = ThinEvent.safeParse(delivered).data;
    if (thin !== undefined) await recordProblem(db, "thin_events", thin.type);
    throw malformed(thin?.type);
  }
  const isOwn = !event.account;
  if (isOwn && event.livemode !== livemode) {
    await recordProblem(db, "other_mode", event.id);
    throw untrusted("an event of the other mode");
  }
  await recordEvent(db, event, { found: false });
  return { id: event.id, isOwn };
}

/** Parses an event as the processor delivers or lists it; null for anything else. */
export function envelopeOf(event: unknown): Envelope | null {
  return Envelope.safeParse(event).data ?? null;
}

/**
 * Records an event of the processor; returns whether it was unknown. `found`: it comes from the comparison and was not
 * delivered.
 */
export function recordEvent(db: Db, event: Envelope, { found }: { found: boolean }): Promise<boolean> {
  const { id, type, livemode } = event;
  const createdAt = new Date(event.created * 1_000);
  // The owner of a connected account can write any value into its sessions.
  const read = event.account ? { facts: null, error: null } : readFacts(event);
  return insertEvent(db, { id, type, livemode, createdAt, found, ...read });
}

function readFacts(event: Envelope): { facts: EventFacts | null; error: string | null } {
  try {
    return { facts: factsOf(event), error: null };
  } catch (error) {
    log.error({ err: error, event: event.id }, "an event of the payment processor cannot be read");
    return { facts: null, error: "the event is not shaped as expected" };
  }
}

/**
 * Verifies a signature with any of the secrets: there are several while a secret is rotated, or when several endpoints
 * lead here.
 */
function verified(payload: Uint8Array, signature: string | null, secrets: readonly string[]): unknown {
  const times = [...(signature ?? "").matchAll(/(?:^|,)t=([^,]*)/g)].map(([, time]) => time as string);
  if (signature === null || times.length !== 1 || !/^\d{1,12}$/.test(times[0]!)) throw untrusted("no signature");
  const text = Buffer.from(payload);
  if (!secrets.some((secret) => isSigned(text, signature, secret)))
    throw untrusted("the signature fits no STRIPE_WEBHOOK_SECRET, or a proxy has changed the body");
  requireTime(Number(times[0]));
  try {
    return JSON.parse(text.toString());
  } catch {
    throw malformed();
  }
}

/** Returns whether one of the signatures matches, whatever its time. */
function isSigned(text: Buffer, signature: string, secret: string): boolean {
  try {
    return processor().webhooks.signature?.verifyHeader(text, signature, secret, 0) === true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
    throw error;
  }
}

function requireTime(seconds: number): void {
  const secondsFromOurClock = seconds - Math.round(Date.now() / 1_000);
  if (Math.abs(secondsFromOurClock) > SKEW_SECONDS)
    throw untrusted("signed at another time: an old delivery, or a clock that is off", { secondsFromOurClock });
}

function untrusted(reason: string, more: { secondsFromOurClock?: number } = {}) {
  log.warn({ reason, ...more }, "a delivery to the payment webhook was refused");
  return apiError("invalid_request", { key: "rejections:unsignedEvent", doNotRepeat: true });
}

function malformed(thin?: string) {
  if (thin !== undefined)
    log.warn({ type: thin }, "a thin event came to the payment webhook, which needs snapshot events");
  else log.warn("a delivery to the payment webhook is signed and no event");
  return apiError("invalid_request", { key: "rejections:malformedEvent", doNotRepeat: true });
}
