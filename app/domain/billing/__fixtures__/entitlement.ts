/**
 * What of a payer's money is theirs, said plainly: what came, less what was taken back and what was spent. Below zero they owe. Gifts stand
 * beside it: they repay nothing, and are spent first (decision 040).
 */
export class Entitlement {
  own = 0n;
  gifts = 0n;
  #given = 0n;

  come(amount: bigint): void {
    this.own += amount;
  }

  /** Taken back, or given back where it is less than nothing. Whoever takes a payment back keeps no gift that they had. */
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

  /** What they may spend beside calls that may take so much of their own, and no gift. */
  theirsBeside(heldOfOwn: bigint): bigint {
    return larger(0n, this.own - heldOfOwn) + this.gifts;
  }

  /** No more than this is left, in whatever order it was taken and given. */
  get theirsAtMost(): bigint {
    return larger(this.worth, this.#given);
  }

  /** The balance, less what is owed. */
  get worth(): bigint {
    return this.own + this.gifts;
  }
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
