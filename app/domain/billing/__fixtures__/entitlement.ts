/**
 * Reference model of a payer's money: what came in, less what was taken back and what was spent. Below zero they owe.
 * Gifts are separate: they repay no debt, and are spent first (decision 040).
 */
export class Entitlement {
  own = 0n;
  gifts = 0n;
  #given = 0n;

  come(amount: bigint): void {
    this.own += amount;
  }

  /**
   * Takes an amount back; a negative amount is returned. A payer whose payment is taken back also loses gifts that they
   * had.
   */
  take(amount: bigint): void {
    const ofOwn = amount <= 0n || amount < this.own ? amount : larger(0n, this.own);
    const withdrawn = smaller(amount - ofOwn, this.gifts);
    this.gifts -= withdrawn;
    this.own -= amount - withdrawn;
  }

  use(cost: bigint, { withGifts }: { withGifts: boolean }): void {
    const ofGifts = withGifts ? smaller(cost, this.gifts) : 0n;
    this.gifts -= ofGifts;
    this.own -= cost - ofGifts;
  }

  give(amount: bigint): void {
    this.gifts += amount;
    this.#given += amount;
  }

  join(other: Entitlement): void {
    this.own += other.own;
    this.gifts += other.gifts;
    this.#given += other.#given;
  }

  /** The amount that they may spend while calls hold `heldOfOwn` of their own money and no gift. */
  theirsBeside(heldOfOwn: bigint): bigint {
    return larger(0n, this.own - heldOfOwn) + this.gifts;
  }

  /** The maximum that can be left, in whatever order amounts were taken and given. */
  get theirsAtMost(): bigint {
    return larger(this.worth, this.#given);
  }

  /** The balance less the debt. */
  get worth(): bigint {
    return this.own + this.gifts;
  }
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
