import { z } from "zod";
import { parseUsd } from "~/values/money";

// The reader passes every number as its source text, so that no decimal becomes a float.

/** An integer within bounds. */
export function integer(minimum: number, maximum: number) {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  const digits = z.string(message).regex(/^\d{1,10}$/, message);
  return digits.transform(Number).refine((value) => value >= minimum && value <= maximum, message);
}

const MAX_USD_TEXT = "1000000";
const MAX_NANO_USD = parseUsd(MAX_USD_TEXT) as bigint;

/** US dollars as a decimal text, converted to nano-USD. */
export const usd = z.string("must be a decimal number").transform((text, context) => {
  const nanoUsd = parseUsd(text);
  if (nanoUsd !== null && nanoUsd >= 0n && nanoUsd <= MAX_NANO_USD) return nanoUsd;
  context.addIssue({ code: "custom", message: priceProblem(text, nanoUsd) });
  return z.NEVER;
});

function priceProblem(text: string, nanoUsd: bigint | null): string {
  if (text.startsWith("-")) return "must not be negative";
  if (/^\d+\.\d{10,}$/.test(text)) return "has more than nine decimals";
  return nanoUsd === null ? "must be a plain decimal number, such as 0.50" : `is more than ${MAX_USD_TEXT}`;
}

export const flag = z.union(
  [z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")],
  "must be true or false",
);
