import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import { listOperators, type Operator, type PaymentProblems, takeProblems } from "./operator-store";

/**
 * Tells those who run the installation of events that could not be applied, of payments that were credited otherwise than asked,
 * and of auto top-ups that were paused; each once. The emails go into the outbox in the transaction that marks them as told. A
 * job; returns how many emails that were.
 */
export function tellPaymentProblems(
  db: Db,
  mail: (tx: Db, to: Operator, problems: PaymentProblems) => Promise<void>,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const problems = await takeProblems(tx);
    if (Object.values(problems).every((count) => count === 0)) return 0;
    const operators = await listOperators(tx);
    for (const operator of operators) await mail(tx, operator, problems);
    return operators.length;
  });
}
