/** A response with the whole input that led to it, in its own format. */
export type StoredResponse = {
  input: readonly unknown[];
  response: Readonly<Record<string, unknown>> & { id: string; output: readonly unknown[] };
};
