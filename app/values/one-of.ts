/**
 * Creates a type guard that checks whether a string is in a list.
 *
 * @param list - The allowed strings, usually `as const`.
 */
export const isOneOf =
  <const Known extends string>(list: readonly Known[]) =>
  (value: string): value is Known =>
    (list as readonly string[]).includes(value);
