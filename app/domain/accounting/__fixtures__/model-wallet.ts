/** The rules of one wallet and of what its payer owes, said plainly. `held` says what open holds take of it at the moment. */
export class ModelWallet {
  posted = 0n;
  creditLimit = 0n;
  creditFloor = 0n;
  exemptUsage = 0n;
  /** What open holds lack since money was taken back; part of the floor. */
  lacking = 0n;
  debt = 0n;

  constructor(
    public exempt: boolean,
    readonly held: () => bigint,
    readonly houseGets: (kind: string, amount: bigint) => void,
  ) {}

  /** Moves money between the wallet and the house; false when the wallet does not have so much. What is no gift repays first. */
  post(house: string, amount: bigint): boolean {
    if (!this.exempt) this.#fitFloor(0n);
    if (!this.exempt && this.posted + amount - this.held() < -this.creditFloor) return false;
    this.posted += amount;
    this.houseGets(house, -amount);
    if (house !== "promo_expense") this.#repay(amount);
    return true;
  }

  /** A payment, or what comes back of one that was taken back: first to the debt. */
  pay(amount: bigint): void {
    const repaid = smaller(amount, this.debt);
    this.debt -= repaid;
    this.posted += amount - repaid;
    this.houseGets("processor_clearing", -amount);
  }

  /** Takes money back, also what calls hold; what the wallet does not have is debt. */
  takeBack(amount: bigint): void {
    const part = this.exempt ? amount : smaller(amount, larger(0n, this.#own));
    if (!this.exempt) this.#fitFloor(part);
    this.posted -= part;
    this.debt += amount - part;
    this.houseGets("processor_clearing", amount);
  }

  /** What calls have spent of money that was taken back becomes debt. */
  bookDebt(): void {
    if (this.exempt) return;
    const spent = larger(0n, -this.#own);
    this.posted += spent;
    this.debt += spent;
    this.#fitFloor(0n);
  }

  /** What the job does: whatever way money came by, what is owed is repaid from it. */
  recover(): void {
    if (this.lacking > 0n) this.bookDebt();
    this.#repay(this.posted);
  }

  setCreditLimit(limit: bigint): void {
    const raised = limit - this.creditLimit;
    this.creditLimit = limit;
    this.creditFloor = larger(limit, this.held() - this.posted);
    this.lacking = smaller(this.lacking, this.creditFloor - limit);
    this.#repay(raised);
  }

  markExempt(exempt: boolean): void {
    if (this.exempt === exempt) return;
    if (!exempt) {
      this.posted += this.exemptUsage;
      this.houseGets("exempt_usage", -this.exemptUsage);
      this.exemptUsage = 0n;
      this.#fitFloor(0n);
    }
    this.exempt = exempt;
    this.bookDebt();
    this.#repay(this.#own);
  }

  /** What the wallet could give, without what its floor allows only for the sake of calls under way. */
  get #own(): bigint {
    return this.posted + this.creditFloor - this.lacking;
  }

  #fitFloor(taken: bigint): void {
    const floor = this.creditFloor - this.lacking;
    this.lacking = larger(0n, this.held() - this.posted + taken - floor);
    this.creditFloor = floor + this.lacking;
  }

  #repay(most: bigint): void {
    const part = smaller(most, smaller(this.debt, this.#own));
    if (part <= 0n || this.exempt) return;
    this.#fitFloor(part);
    this.posted -= part;
    this.debt -= part;
  }
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
