/** Suppliers' messages for a prompt that is too long, with the requested and the maximum number of tokens. */
const OVERFLOW_MESSAGES = [
  // Messages style; coding agents look for this wording.
  /prompt is too long: (?<asked>\d+) tokens > (?<most>\d+) maximum/i,
  // Chat style: the maximum comes first.
  /(?:maximum (?:context|prompt|model|input) length (?:is|of)|configured limit of|token limit:?) (?<most>\d+)(?: tokens)?\D+(?<asked>\d+)/i,
  /input token count \(?(?<asked>\d+)\)? exceeds the maximum number of tokens allowed \(?(?<most>\d+)/i,
  /prompt contains (?<asked>\d+) tokens.{1,100}? (?<most>\d+) maximum context length/i,
  // Servers of open-weight models.
  /\((?<asked>\d+) tokens\) exceeds the available context size \((?<most>\d+) tokens/i,
  /(?:prompt|input|request)\D{1,40}(?<asked>\d+)(?: tokens)?\)? exceeds? (?:the )?(?:limit|maximum|model)\D{1,60}(?<most>\d+)/i,
  /(?:input|prompt) \((?:length )?(?<asked>\d+)(?: tokens)?\) is longer than the (?:model's |maximum )?(?:context|model) length (?:of )?\(?(?<most>\d+)/i,
  /prompt is too long: (?<asked>\d+), model maximum context length: (?<most>\d+)/i,
  /input tokens (?<asked>\d+) cannot exceed the total tokens limit (?<most>\d+)/i,
  /tokens in the prompt cannot exceed (?<most>\d+)\D+received (?<asked>\d+)/i,
  /`?inputs`? tokens \+ `?max_new_tokens`? must be <= (?<most>\d+)\.\D+(?<asked>\d+)/i,
];

/** The same messages with one number or none. */
const WORDS =
  /prompt (?:is )?too long|input (?:is|was) too long|exceeds? (?:the |this |its )?(?:model'?s? )?(?:maximum )?(?:available )?context (?:window|size|length)|context (?:window|length|size)(?: has been)? exceed|context_(?:length|window)_exceeded|exceed_context_size|maximum (?:context|prompt|model) length is|reduce the length of (?:the|your) (?:messages|input|prompt)|greater than the context length|exceeded model token limit|too large for model with|prompt exceeds (?:the )?(?:max|length)|context (?:window )?overflow|input tokens? exceeds? the|exceeds? (?:the )?context limit|too many input tokens|range of input length should be/i;
/** Wording of rate limits, which looks similar. */
const RATES = /per (?:minute|hour|day)|rate limit|quota/i;

/**
 * Returns both token counts of a supplier's message that a prompt is too long; null for any other message or without
 * both numbers.
 */
export function contextOverflow(message: string): { requestedTokens: string; maxTokens: string } | null {
  for (const saying of OVERFLOW_MESSAGES) {
    const { asked: requestedTokens, most: maxTokens } = saying.exec(message)?.groups ?? {};
    if (requestedTokens !== undefined && maxTokens !== undefined) return { requestedTokens, maxTokens };
  }
  return null;
}

/** Whether a supplier reports, by any message or by its code, that a prompt is too long. */
export const isContextOverflow = (message: string, code: string | null = null): boolean =>
  OVERFLOW_CODES.test(code ?? "") ||
  ((WORDS.test(message) || contextOverflow(message) !== null) && !RATES.test(message));

const OVERFLOW_CODES =
  /^(?:context_length_exceeded|model_context_window_exceeded|exceed_context_size_error|context_window_exceeded)$/;
