import type Stripe from "stripe";
import type { Db } from "~/connection/db.server";
import { findCustomerOwner, finishSetup, putCard, removeCard } from "../card-store";
import { askOwnConnection, askProcessor } from "../processor";
import type { SessionFacts } from "./event-facts";

type Step = (tx: Db) => Promise<boolean>;
type Card = { id: string; brand: string; last4: string; expMonth: number; expYear: number };

/**
 * Applies a completed set-up: its card belongs to the person from then on, and becomes the default if it is their first
 * one.
 */
export async function prepareSetup(facts: SessionFacts, outcome: string): Promise<Step | null> {
  const { reference, setupIntentId, sessionId } = facts;
  if (reference === null) return null;
  if (outcome === "expired" || setupIntentId === null)
    return (tx) => finishSetup(tx, { id: reference, sessionId, methodId: null, userId: null });
  const intent = await askProcessor((stripe) =>
    stripe.setupIntents.retrieve(setupIntentId, { expand: ["payment_method"] }),
  );
  const method = intent.payment_method;
  const card = method !== null && typeof method === "object" ? cardOf(method) : null;
  const customer = customerIdOf(intent.customer);
  if (card === null || customer === null || intent.status !== "succeeded") return null;
  return async (tx) => {
    const userId = await findCustomerOwner(tx, customer);
    if (userId === null) return false;
    await putCard(tx, userId, card);
    return finishSetup(tx, { id: reference, sessionId, methodId: card.id, userId });
  };
}

/**
 * Applies a change of a saved card at the processor: renewed by its bank, or removed. Cards that are not saved here are
 * ignored.
 */
export async function prepareMethod({
  methodId,
  removed,
}: {
  methodId: string;
  removed: boolean;
}): Promise<Step | null> {
  if (removed) return (tx) => removeCard(tx, methodId);
  const method = await askOwnConnection((stripe) => stripe.paymentMethods.retrieve(methodId));
  if (method === null) return null;
  const card = cardOf(method);
  const customer = customerIdOf(method.customer);
  if (card === null || customer === null) return null;
  return async (tx) => {
    const userId = await findCustomerOwner(tx, customer);
    if (userId === null) return false;
    await putCard(tx, userId, card);
    return true;
  };
}

function cardOf({ id, card }: Stripe.PaymentMethod): Card | null {
  if (!card) return null;
  return { id, brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year };
}

const customerIdOf = (customer: string | { id: string } | null): string | null =>
  customer === null || typeof customer === "string" ? customer : customer.id;
