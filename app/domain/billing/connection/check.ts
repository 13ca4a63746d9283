import Stripe from "stripe";
import { config } from "~/config.server";
import type { Db } from "~/connection/db.server";
import { isProcessorConfigured, processor } from "../processor";
import type { ConnectionProblemKind } from "../shared";
import { deleteProblems, deleteUnseen, hasDelivered } from "./problem-store";
import { recordProblem } from "./problems";

/** Days for which the processor repeats a failed delivery. */
const REPEATED_DAYS = 3;
const DELIVERED_WITHIN_DAYS = 7;
const PATH = "/api/billing/processor/webhook";

/** Event types without which money is credited late, or is taken back only by the daily comparison. */
export const NEEDED_TYPES: readonly string[] = [
  "checkout.session.completed",
  "charge.refunded",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "payment_intent.payment_failed",
];

/** Kinds of problems that this check detects and clears. */
const CHECKED: readonly ConnectionProblemKind[] = [
  "key",
  "rights",
  "no_endpoint",
  "endpoint_disabled",
  "events_missing",
];

type Problem = { kind: ConnectionProblemKind; detail: string };

/**
 * Checks that the processor accepts the key, and that a webhook endpoint of the key's account delivers the events that
 * gw needs. Problems are listed for owners and platform admins. A job; returns the number of problems.
 */
export async function checkConnection(db: Db): Promise<number> {
  const problems = isProcessorConfigured() ? await findProblems(db) : [];
  if (problems === null) return 0;
  await deleteUnseen(db, REPEATED_DAYS);
  const kinds = problems.map(({ kind }) => kind);
  await deleteProblems(
    db,
    CHECKED.filter((kind) => !kinds.includes(kind)),
  );
  for (const { kind, detail } of problems) await recordProblem(db, kind, detail);
  return problems.length;
}

/** Returns null when the processor cannot be reached at present. */
async function findProblems(db: Db): Promise<Problem[] | null> {
  const events = await query((stripe) => stripe.events.list({ limit: 1 }));
  if ("kind" in events) return [events];
  if (events.answer === null) return null;
  const endpoints = await query((stripe) => stripe.webhookEndpoints.list({ limit: 100 }));
  // A restricted key does not need permission to read endpoints.
  if ("kind" in endpoints || endpoints.answer === null) return [];
  return problemsOf(
    endpoints.answer.data.filter(({ url, application }) => url.split("?")[0]?.endsWith(PATH) && application === null),
    { url: `${config().baseUrl}${PATH}`, isDelivered: await hasDelivered(db, DELIVERED_WITHIN_DAYS) },
  );
}

/**
 * Returns the problems of the endpoints for this address. If events arrive anyway, for example through a relay, no
 * endpoint is required. Pure.
 */
export function problemsOf(
  endpoints: readonly Pick<Stripe.WebhookEndpoint, "url" | "status" | "enabled_events">[],
  { url, isDelivered }: { url: string; isDelivered: boolean },
): Problem[] {
  if (endpoints.length === 0) return isDelivered ? [] : [{ kind: "no_endpoint", detail: url }];
  const enabled = endpoints.filter(({ status }) => status === "enabled");
  if (enabled.length === 0)
    return [{ kind: "endpoint_disabled", detail: endpoints.map((each) => each.url).join(", ") }];
  const types = new Set(enabled.flatMap(({ enabled_events }) => enabled_events));
  const missing = types.has("*") ? [] : NEEDED_TYPES.filter((type) => !types.has(type));
  return missing.length === 0 ? [] : [{ kind: "events_missing", detail: missing.join(", ") }];
}

async function query<T>(question: (stripe: Stripe) => Promise<T>): Promise<{ answer: T | null } | Problem> {
  try {
    return { answer: await question(processor()) };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError) return { kind: "key", detail: error.message };
    if (error instanceof Stripe.errors.StripePermissionError) return { kind: "rights", detail: error.message };
    return { answer: null };
  }
}
