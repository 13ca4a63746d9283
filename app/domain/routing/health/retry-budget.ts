// Own code on purpose: the number of retries of a model is a rule of the product.

/** Retries added by each request: all attempts together stay below 1.25 times the requests. */
const SHARE = 0.15;
/** Maximum and initial budget. */
const MOST = 5;

/** Budget for attempts on unavailable routes of a model. Requests add to it, such attempts take from it. */
export class RetryBudget {
  #left = MOST;

  /** Adds the share of one request. */
  deposit(): void {
    this.#left = Math.min(MOST, this.#left + SHARE);
  }

  /** Takes one retry from the budget; false: the budget is empty. */
  take(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
