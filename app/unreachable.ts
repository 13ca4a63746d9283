/** Closes a `switch` over a union: the compiler refuses a case that is missing, and so does the running program. */
export function unreachable(never: never): never {
  throw new Error(`a case is missing: ${JSON.stringify(never)}`);
}
