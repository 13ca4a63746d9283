// Own code on purpose: how many retries a model may make is a rule of the product.

/** What each request adds for retries: with it, all attempts together stay below 1.25 times the requests. */
const SHARE = 0.15;
/** What a quiet model may save up, and begins with. */
const MOST = 5;

/** How many retries of routes in trouble a model may still make. Requests pay in, such retries take out. */
export class RetryBudget {
  #left = MOST;

  /** One request has come. */
  deposit(): void {
    this.#left = Math.min(MOST, this.#left + SHARE);
  }

  /** Whether one more retry may be made; if so it is paid. */
  take(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
