/**
 * Whether a value must be awaited. Every call passes six steps that mostly have their result at once. An `await` of a
 * result that is there still takes a turn of the microtask queue.
 * docs/lab/042-what-a-paying-call-costs.md has the measurement.
 */
export const isPending = <T>(value: T | Promise<T>): value is Promise<T> => value instanceof Promise;

/** Applies `next` to a value: at once, or when the value arrives. */
export const settled = <T, Next>(value: T | Promise<T>, next: (value: T) => Next): Next | Promise<Next> =>
  isPending(value) ? value.then(next) : next(value);
