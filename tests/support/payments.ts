import { randomUUID } from "node:crypto";
import { db } from "~/connection/db.server";
import type { Books } from "./accounting";

/** Payments as the ledger sees them, without a processor. A cent counts as a nano-dollar, so that parts are exact. */
export async function openPayments(books: Books) {
  const name = randomUUID();
  const { id: organisationId } = await db().organisation.create({ data: { name, slug: name } });
  const { id: userId } = await db().user.create({ data: { email: `${name}@example.com`, organisationId } });
  const reconcile = (id: string) => books.sql("SELECT payment_reconcile($1)", [id]);

  return {
    /** Creates a paid payment and credits it. Returns its id. */
    async pay(walletId: number, amount: bigint): Promise<string> {
      const id = randomUUID();
      await books.sql(
        `INSERT INTO payment (id, wallet_id, organisation_id, user_id, livemode, amount, fee, subtotal_cents, state, charged_cents, paid_at)
         VALUES ($1, $2, $3, $4, false, $5, 0, $5, 'paid', $5, app_now())`,
        [id, walletId, organisationId, userId, amount],
      );
      await reconcile(id);
      return id;
    },
    /** Creates a refund of this amount. Returns its id. */
    async refund(paymentId: string, amount: bigint): Promise<string> {
      const id = randomUUID();
      await books.sql("INSERT INTO payment_refund (id, payment_id, cents, failed) VALUES ($1, $2, $3, false)", [
        id,
        paymentId,
        amount,
      ]);
      await reconcile(paymentId);
      return id;
    },
    async failRefund(paymentId: string, refundId: string): Promise<void> {
      await books.sql("UPDATE payment_refund SET failed = true WHERE id = $1", [refundId]);
      await reconcile(paymentId);
    },
    async dispute(paymentId: string, amount: bigint): Promise<string> {
      const id = randomUUID();
      await books.sql("INSERT INTO payment_dispute (id, payment_id, cents, state) VALUES ($1, $2, $3, 'open')", [
        id,
        paymentId,
        amount,
      ]);
      await reconcile(paymentId);
      return id;
    },
    async closeDispute(paymentId: string, disputeId: string, state: "won" | "lost"): Promise<void> {
      await books.sql("UPDATE payment_dispute SET state = $2 WHERE id = $1", [disputeId, state]);
      await reconcile(paymentId);
    },
  };
}
export type Payments = Awaited<ReturnType<typeof openPayments>>;

/** Returns the balance, the open holds and the credit limit of a wallet, and the debt of its payer. */
export async function balanceOf(books: Books, walletId: number) {
  const [row] = await books.sql<{ posted: bigint; held: bigint; credit: bigint; debt: bigint }>(
    `SELECT a.posted - u.charged AS posted, a.held - u.held AS held, a.credit_limit AS credit,
            coalesce((SELECT -r.posted FROM ledger_account r WHERE r.kind = 'receivable' AND (r.payer_kind, r.payer_id) = (a.payer_kind, a.payer_id)), 0) AS debt
       FROM ledger_account a CROSS JOIN LATERAL wallet_unposted(a.id) u WHERE a.id = $1`,
    [walletId],
  );
  return row!;
}
