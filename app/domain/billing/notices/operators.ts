import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { listOperators, type Operator, type PaymentProblems, takeProblems } from "./operator-store";

/**
 * Notifies owners and platform admins of events that could not be applied, payments that were credited with another
 * amount than requested, paused auto top-ups, and problems of the connection; each once. The emails are written to the
 * outbox in the transaction that marks the problems as reported. A job; returns the number of emails.
 */
export function emailPaymentProblems(
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
