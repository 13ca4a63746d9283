/** Suppliers' messages for a prompt that is too long, with the requested and the maximum number of tokens. */
const OVERFLOW_MESSAGES = [
  // Messages style; coding agents look for this wording.
  /prompt is too long: (?<requestedTokens>\d+) tokens > (?<maxTokens>\d+) maximum/i,
  // Chat style: the maximum comes first.
  /(?:maximum (?:context|prompt|model|input) length (?:is|of)|configured limit of|token limit:?) (?<maxTokens>\d+)(?: tokens)?\D+(?<requestedTokens>\d+)/i,
  /input token count \(?(?<requestedTokens>\d+)\)? exceeds the maximum number of tokens allowed \(?(?<maxTokens>\d+)/i,
  /prompt contains (?<requestedTokens>\d+) tokens.{1,100}? (?<maxTokens>\d+) maximum context length/i,
  // Servers of open-weight models.
  /\((?<requestedTokens>\d+) tokens\) exceeds the available context size \((?<maxTokens>\d+) tokens/i,
  /(?:prompt|input|request)\D{1,40}(?<requestedTokens>\d+)(?: tokens)?\)? exceeds? (?:the )?(?:limit|maximum|model)\D{1,60}(?<maxTokens>\d+)/i,
  /(?:input|prompt) \((?:length )?(?<requestedTokens>\d+)(?: tokens)?\) is longer than the (?:model's |maximum )?(?:context|model) length (?:of )?\(?(?<maxTokens>\d+)/i,
  /prompt is too long: (?<requestedTokens>\d+), model maximum context length: (?<maxTokens>\d+)/i,
  /input tokens (?<requestedTokens>\d+) cannot exceed the total tokens limit (?<maxTokens>\d+)/i,
  /tokens in the prompt cannot exceed (?<maxTokens>\d+)\D+received (?<requestedTokens>\d+)/i,
  /`?inputs`? tokens \+ `?max_new_tokens`? must be <= (?<maxTokens>\d+)\.\D+(?<requestedTokens>\d+)/i,
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
    const { requestedTokens, maxTokens } = saying.exec(message)?.groups ?? {};
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
