import type { Db } from "~/db.server";
import type { Actor } from "~/domain/identity/shared";
import { apiError } from "~/errors/app-error";
import { findCustomer, putCustomer } from "./card-store";
import { askProcessor } from "./processor";

/** Who a person is at the processor; made there when it is needed first, once whatever happens on the way. */
export async function customerOf(
  db: Db,
  { userId, email, name }: Pick<Actor, "userId" | "email" | "name">,
): Promise<string> {
  const known = await findCustomer(db, userId);
  if (known !== null) return known;
  // The key says whose it is and nothing that may change: the same key with other fields is refused.
  const made = await askProcessor((stripe) =>
    stripe.customers.create({ metadata: { gw_user: String(userId) } }, { idempotencyKey: `gw-customer-${userId}` }),
  );
  const customerId = await putCustomer(db, userId, made.id);
  await askProcessor((stripe) =>
    stripe.customers.update(
      customerId,
      { email, ...(name && { name }) },
      { idempotencyKey: `gw-customer-named-${customerId}-${email}` },
    ),
  ).catch(() => undefined);
  return customerId;
}

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/**
 * What a client names an operation, so that repeating it finds the first one; null where it does not.
 * @throws AppError invalid_idempotency_key
 */
export function idempotencyKeyOf(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key !== null && !VISIBLE.test(key)) throw apiError("invalid_idempotency_key");
  return key;
}
