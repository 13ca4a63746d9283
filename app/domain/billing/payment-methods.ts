import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import { listCards, ownsCard, removeCard, setDefaultCard } from "./card-store";
import { askProcessor } from "./processor";
import type { PaymentMethodView } from "./shared";

/** Returns a person's saved cards, newest first. */
export function listPaymentMethods(db: Db, { userId }: Pick<Actor, "userId">): Promise<PaymentMethodView[]> {
  return listCards(db, userId);
}

/**
 * Removes a card of the actor, first at the processor, after which it is never charged again. A card that the processor
 * no longer knows is removed too. Repeating it throws not_found.
 * @throws AppError not_found, also for another person's card; billing_unavailable
 */
export async function deletePaymentMethod(db: Db, { userId }: Pick<Actor, "userId">, id: string): Promise<void> {
  if (!(await ownsCard(db, userId, id))) throw apiError("not_found");
  await askProcessor((stripe) => stripe.paymentMethods.detach(id, {}, { idempotencyKey: `gw-detach-${id}` })).catch(
    (error) => {
      if ((error as { code?: string }).code !== "not_found") throw error;
    },
  );
  await inTransaction(db, (tx) => removeCard(tx, id));
}

/**
 * Makes a card of the actor the default for charges. Safe to repeat.
 * @throws AppError not_found, also for another person's card
 */
export async function makeDefault(db: Db, { userId }: Pick<Actor, "userId">, id: string): Promise<void> {
  if (!(await ownsCard(db, userId, id))) throw apiError("not_found");
  await setDefaultCard(db, userId, id);
}
