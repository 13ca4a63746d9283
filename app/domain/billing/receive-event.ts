import Stripe from "stripe";
import { z } from "zod";
import type { Db } from "~/db.server";
import { apiError } from "~/errors/app-error";
import { log } from "~/log.server";
import { type EventFacts, factsOf } from "./event-facts";
import { insertEvent } from "./event-store";
import { processor, processorSettings } from "./processor";

/** How far the time of a signature may be from ours, either way. */
const SKEW_SECONDS = 300;
/** The end of the year 9999. */
const LATEST_SECONDS = 253_402_300_799;

/** What every event of the processor has; what it is about is read by its type. */
const Envelope = z.object({
  id: z.string().regex(/^[\x21-\x7e]{1,255}$/),
  type: z.string().regex(/^[\x21-\x7e]{1,255}$/),
  livemode: z.boolean(),
  created: z.number().int().min(0).max(LATEST_SECONDS),
  data: z.object({ object: z.unknown() }),
});
type Envelope = z.infer<typeof Envelope>;

/**
 * Takes an event that the processor delivers: `payload` is the body, byte by byte as it came. The event is on record when this
 * resolves; answers its id for `applyEvent`. Repeating it counts a delivery and nothing else.
 * @throws AppError invalid_request when it is not signed by the processor, at another time, or of the other mode, or is no event
 *   at all; billing_unavailable where no processor is set up.
 */
export async function receiveEvent(db: Db, payload: Uint8Array, signature: string | null): Promise<{ id: string }> {
  const { webhookSecret, livemode } = processorSettings();
  const event = envelopeOf(verified(payload, signature, webhookSecret));
  if (event === null) throw malformed();
  if (event.livemode !== livemode) throw untrusted("an event of the other mode");
  await recordEvent(db, event, { found: false });
  return { id: event.id };
}

/** An event as the processor delivers or lists it; null for anything else. */
export function envelopeOf(event: unknown): Envelope | null {
  return Envelope.safeParse(event).data ?? null;
}

/** Writes an event of the processor down; answers whether it was unknown. `found`: nobody had delivered it. */
export function recordEvent(db: Db, event: Envelope, { found }: { found: boolean }): Promise<boolean> {
  const { id, type, livemode } = event;
  const createdAt = new Date(event.created * 1_000);
  return insertEvent(db, { id, type, livemode, createdAt, found, ...readFacts(event) });
}

function readFacts(event: Envelope): { facts: EventFacts | null; error: string | null } {
  try {
    return { facts: factsOf(event), error: null };
  } catch (problem) {
    log.error({ err: problem, event: event.id }, "an event of the payment processor cannot be read");
    return { facts: null, error: "the event is not shaped as expected" };
  }
}

function verified(payload: Uint8Array, signature: string | null, secret: string): unknown {
  const at = /(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature ?? "")?.[1];
  if (signature === null || at === undefined) throw untrusted("no signature");
  if (Number(at) > Date.now() / 1_000 + SKEW_SECONDS) throw untrusted("a signature of the future");
  try {
    return processor().webhooks.constructEvent(Buffer.from(payload), signature, secret, SKEW_SECONDS);
  } catch (cause) {
    if (!(cause instanceof Stripe.errors.StripeSignatureVerificationError)) throw malformed();
    throw untrusted("a signature that is not the processor's", cause);
  }
}

function untrusted(reason: string, cause?: unknown) {
  log.warn({ reason }, "a delivery to the payment webhook was refused");
  return apiError("invalid_request", { key: "rejections:unsignedEvent", cause, doNotRepeat: true });
}

function malformed() {
  log.warn("a delivery to the payment webhook is signed and no event");
  return apiError("invalid_request", { key: "rejections:malformedEvent", doNotRepeat: true });
}
