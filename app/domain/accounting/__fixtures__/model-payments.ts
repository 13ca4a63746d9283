import fc from "fast-check";
import type { Payments } from "../../../../tests/support/payments";
import type { ReferenceModel } from "./reference-model";

/** Payments of a run, carried out in the database and in the model. */
export class ModelPayments {
  readonly #made: { walletId: number; id: string; left: bigint; refunds: { id: string; amount: bigint }[] }[] = [];

  constructor(
    readonly payments: Payments,
    readonly model: ReferenceModel,
  ) {}

  async pay(walletId: number, amount: bigint): Promise<void> {
    const id = await this.payments.pay(walletId, amount);
    this.model.wallet(walletId).pay(amount);
    this.#made.push({ walletId, id, left: amount, refunds: [] });
  }

  /** A refund of a share of what is left, in percent; above a hundred, the last one fails instead. */
  async refund(pick: number, share: number): Promise<void> {
    const payment = this.#made[pick % Math.max(1, this.#made.length)];
    if (payment === undefined) return;
    const wallet = this.model.wallet(payment.walletId);
    if (share > 100) {
      const refund = payment.refunds.pop();
      if (refund === undefined) return;
      await this.payments.failRefund(payment.id, refund.id);
      payment.left += refund.amount;
      return wallet.pay(refund.amount);
    }
    const amount = (payment.left * BigInt(share)) / 100n;
    if (amount === 0n) return;
    payment.refunds.push({ id: await this.payments.refund(payment.id, amount), amount });
    payment.left -= amount;
    wallet.takeBack(amount);
  }
}

type PaymentCommand = { label: string; run: (paid: ModelPayments, walletIds: readonly number[]) => Promise<void> };
export const paymentCommands: fc.Arbitrary<PaymentCommand> = fc.oneof(
  fc.tuple(fc.nat(1), fc.bigInt(1n, 150n)).map(
    ([wallet, amount]): PaymentCommand => ({
      label: `pay ${wallet} ${amount}`,
      run: (paid, walletIds) => paid.pay(walletIds[wallet]!, amount),
    }),
  ),
  fc.tuple(fc.nat(), fc.nat(130)).map(
    ([pick, share]): PaymentCommand => ({
      label: `refund ${pick} ${share}`,
      run: (paid) => paid.refund(pick, share),
    }),
  ),
);
