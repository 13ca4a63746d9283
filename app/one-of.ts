/**
 * Whether a string is one of a list of known ones, as a guard of their type.
 *
 * @param list - The strings that are known, usually written `as const`.
 */
export const isOneOf =
  <const Known extends string>(list: readonly Known[]) =>
  (value: string): value is Known =>
    (list as readonly string[]).includes(value);
