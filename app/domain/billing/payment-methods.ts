import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import type { Actor } from "~/domain/identity/shared";
import { apiError } from "~/errors/app-error";
import { listCards, ownsCard, removeCard, setDefaultCard } from "./card-store";
import { askProcessor } from "./processor";
import type { PaymentMethodView } from "./shared";

/** A person's saved cards, newest first. */
export function listPaymentMethods(db: Db, { userId }: Pick<Actor, "userId">): Promise<PaymentMethodView[]> {
  return listCards(db, userId);
}

/**
 * Takes a card of the actor away, at the processor first: it is not charged again. One that the processor does not know any more
 * goes too. Repeating it finds no card.
 * @throws AppError not_found, for anybody else's too; billing_unavailable
 */
export async function deletePaymentMethod(db: Db, { userId }: Pick<Actor, "userId">, id: string): Promise<void> {
  if (!(await ownsCard(db, userId, id))) throw apiError("not_found");
  await askProcessor((stripe) => stripe.paymentMethods.detach(id, {}, { idempotencyKey: `gw-detach-${id}` })).catch(
    (problem) => {
      if ((problem as { code?: string }).code !== "not_found") throw problem;
    },
  );
  await inTransaction(db, (tx) => removeCard(tx, id));
}

/**
 * Makes a card of the actor the one that is charged where they do not choose. Safe to repeat.
 * @throws AppError not_found, for anybody else's too
 */
export async function makeDefault(db: Db, { userId }: Pick<Actor, "userId">, id: string): Promise<void> {
  if (!(await ownsCard(db, userId, id))) throw apiError("not_found");
  await setDefaultCard(db, userId, id);
}
