import { expect, test } from "vitest";
import { outputCeiling } from "./output-ceiling";
import { type MessagesSource, readMessages } from "./read";

const ask = (more: object) =>
  JSON.stringify({ model: "m", messages: [{ role: "user", content: "x" }], max_tokens: 8_000, ...more });

/** Returns ceiling and thinking of a request with a lowered ceiling. */
function lowered(text: string, tokens: number) {
  const ceiling = outputCeiling(readMessages(text).source as MessagesSource);
  const result = ceiling.textWith(tokens);
  expect(Buffer.byteLength(result)).toBeLessThanOrEqual(ceiling.bodyBytesWith(tokens));
  const { max_tokens, thinking } = JSON.parse(result);
  return { max_tokens, thinking };
}

const enabled = (budget_tokens: number) => ({ type: "enabled", budget_tokens, display: "omitted" });

test("a budget of thinking stays below a lower ceiling, by the same share", () => {
  const text = ask({ thinking: enabled(4_000) });
  expect(lowered(text, 5_000)).toEqual({ max_tokens: 5_000, thinking: enabled(4_000) });
  expect(lowered(text, 4_000)).toEqual({ max_tokens: 4_000, thinking: enabled(2_000) });
  expect(lowered(text, 2_048)).toEqual({ max_tokens: 2_048, thinking: enabled(1_024) });
});

test("where too little is left to think, nothing is thought", () => {
  expect(lowered(ask({ thinking: enabled(4_000) }), 2_047)).toEqual({
    ...{ max_tokens: 2_047, thinking: { type: "disabled" } },
  });
});

test.each([{ type: "adaptive" }, { type: "disabled" }, enabled(31_999), null, undefined])(
  "thinking without a budget below the ceiling is left as it is: %o",
  (thinking) => {
    expect(lowered(ask({ thinking }), 500)).toEqual({ max_tokens: 500, thinking });
  },
);
