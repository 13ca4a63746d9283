import Stripe from "stripe";
import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { AppError, apiError } from "~/errors/app-error";
import { log } from "~/observe/log.server";
import { findCustomer, putCustomer, replaceCustomer } from "./card-store";
import { askProcessor } from "./processor";

type Person = Pick<Actor, "userId" | "email" | "name">;

/**
 * Runs work with a person's customer id at the processor. The customer is created on first use, once, even after
 * failures. If the processor no longer knows the customer (deleted there, or gw has the key of another account or
 * mode), a new one is created, the saved cards are removed, and the work runs once more.
 */
export async function withCustomer<T>(db: Db, person: Person, work: (customer: string) => Promise<T>): Promise<T> {
  const customer = (await findCustomer(db, person.userId)) ?? (await makeCustomer(db, person, null));
  try {
    return await work(customer);
  } catch (error) {
    if (!isCustomerGone(error)) throw error;
    log.warn({ user: person.userId, customer }, "the payment processor does not know a customer any more");
    return work(await makeCustomer(db, person, customer));
  }
}

async function makeCustomer(db: Db, { userId, email, name }: Person, deleted: string | null): Promise<string> {
  // The key contains only values that never change: the processor rejects a key that is repeated with other fields.
  const idempotencyKey = ["gw-customer", userId, deleted].filter((part) => part !== null).join("-");
  const customer = await askProcessor((stripe) =>
    stripe.customers.create({ metadata: { gw_user: String(userId) } }, { idempotencyKey }),
  );
  const customerId =
    deleted === null
      ? await putCustomer(db, userId, customer.id)
      : await inTransaction(db, (tx) => replaceCustomer(tx, userId, { gone: deleted, made: customer.id }));
  await askProcessor((stripe) =>
    stripe.customers.update(
      customerId,
      { email, ...(name && { name }) },
      { idempotencyKey: `gw-customer-named-${customerId}-${email}` },
    ),
  ).catch(() => undefined);
  return customerId;
}

/** Returns whether the missing object is the customer; other missing objects are no reason to create one. */
const isCustomerGone = (error: unknown): boolean =>
  error instanceof AppError &&
  error.cause instanceof Stripe.errors.StripeInvalidRequestError &&
  error.cause.code === "resource_missing" &&
  error.cause.param === "customer";

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/**
 * Returns the client's idempotency key, under which a repeated operation finds the first one; null if absent.
 * @throws AppError invalid_idempotency_key
 */
export function idempotencyKeyOf(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key !== null && !VISIBLE.test(key)) throw apiError("invalid_idempotency_key");
  return key;
}
