import type { Script } from "../scripted-supplier";

// biome-ignore lint/suspicious/noExplicitAny: a body in either dialect, as it came
export type Body = any;

/** The script's calls with their ids; without a name they call the first tool of the request. */
export function namedCalls(body: Body, { calls = [] }: Script): { id: string; name: string; input: object }[] {
  const first = body.tools?.[0];
  return calls.map(({ id, name, input }, index) => ({
    id: id ?? `call_${index}`,
    name: name ?? first?.function?.name ?? first?.name ?? "unknown",
    input,
  }));
}

/** A text in pieces, blanks with the word behind them. */
export const words = (text: string | undefined): string[] => text?.match(/\s*\S+/g) ?? [];
