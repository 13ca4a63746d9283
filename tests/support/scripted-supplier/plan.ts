import type { Script } from "../scripted-supplier";

// biome-ignore lint/suspicious/noExplicitAny: an unvalidated body in either dialect
export type Body = any;

/** Returns the script's tool calls with ids; a call without a name uses the first tool of the request. */
export function namedCalls(body: Body, { calls = [] }: Script): { id: string; name: string; input: object }[] {
  const first = body.tools?.[0];
  return calls.map(({ id, name, input }, index) => ({
    id: id ?? `call_${index}`,
    name: name ?? first?.function?.name ?? first?.name ?? "unknown",
    input,
  }));
}

/** Splits a text into words, each with the blanks before it. */
export const words = (text: string | undefined): string[] => text?.match(/\s*\S+/g) ?? [];
