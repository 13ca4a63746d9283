import Stripe from "stripe";
import type { Db } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { applyEvent } from "../events/apply-event";
import type { ReceivedEvent } from "../events/receive-event";
import { processor, processorSettings } from "../processor";
import { deleteProblems, findEventState } from "./problem-store";
import { recordProblem } from "./problems";

/** Settings whose key has read a delivered event. */
let proven: object | null = null;

/**
 * Applies a delivered event. The signing secret may belong to a different account than the key, and then all events
 * would be ignored silently. Therefore, until one event concerned an object of gw, the processor is asked whether the
 * key can read the event. Never throws.
 */
export async function handleEvent(db: Db, { id, isOwn }: ReceivedEvent): Promise<void> {
  try {
    await applyEvent(db, id);
    if (isOwn) await proveConnection(db, id);
  } catch (err) {
    log.warn({ err, event: id }, "an event of the payment processor could not be handled; it will be tried again");
  }
}

async function proveConnection(db: Db, id: string): Promise<void> {
  const settings = processorSettings();
  if (proven === settings) return;
  const state = await findEventState(db, id);
  if (state !== "applied" && (state !== "ignored" || !(await isVisible(db, id)))) return;
  proven = settings;
  await deleteProblems(db, ["other_account", "other_mode"]);
}

async function isVisible(db: Db, id: string): Promise<boolean> {
  try {
    await processor().events.retrieve(id);
    return true;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { statusCode, message } = error;
    if (error.code === "resource_missing" || statusCode === 404) await recordProblem(db, "other_account", id);
    else if (error instanceof Stripe.errors.StripePermissionError) await recordProblem(db, "rights", message);
    return false;
  }
}
