/** Ends a `switch` over a union: a missing case is a compile error, and an error at run time. */
export function unreachable(never: never): never {
  throw new Error(`a case is missing: ${JSON.stringify(never)}`);
}
