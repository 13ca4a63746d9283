import { expect, test } from "vitest";
import { contextOverflow, isContextOverflow } from "./context-overflow";

// Real messages of vendors and servers.
test.each([
  "prompt is too long: 9000 tokens > 8192 maximum",
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
  "This endpoint's maximum context length is 8192 tokens. However, you requested about 9000 tokens (8000 of text input, 1000 in the output).",
  "This model's maximum prompt length is 8192 but the request contains 9000 tokens.",
  "The input token count (9000) exceeds the maximum number of tokens allowed (8192).",
  "Prompt contains 9000 tokens and 0 draft tokens, too large for model with 8192 maximum context length",
  "Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)",
  "the request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
  "prompt token count of 9000 exceeds the limit of 8192",
  "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
  "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
  "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 9000 tokens.",
  "`inputs` tokens + `max_new_tokens` must be <= 8192. Given: 9000 `inputs` tokens and 20 `max_new_tokens`",
  "The prompt is too long: 9000, model maximum context length: 8192",
  "the number of input tokens 9000 cannot exceed the total tokens limit 8192 for this model",
  "too many tokens: the number of tokens in the prompt cannot exceed 8192 - received 9000.",
])("a prompt that does not fit is known with both figures: %s", (message) => {
  expect(contextOverflow(message)).toEqual({ requestedTokens: "9000", maxTokens: "8192" });
  expect(isContextOverflow(message)).toBe(true);
});

test.each([
  "Input is too long for requested model.",
  "Your input exceeds the context window of this model. Please adjust your input and try again.",
  "Please reduce the length of the messages or completion.",
  "the request exceeds the available context size, try increasing it",
  "The number of tokens to keep from the initial prompt is greater than the context length.",
  "invalid params, context window exceeds limit (2013)",
  "Prompt exceeds max length",
  "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again",
  "Too many input tokens",
  "Range of input length should be [1, 129024]",
  "Context length exceeded",
])("and without figures: %s", (message) => {
  expect(isContextOverflow(message)).toBe(true);
});

test("and by its code alone", () => {
  expect(isContextOverflow("No.", "context_length_exceeded")).toBe(true);
  expect(isContextOverflow("No.", "exceed_context_size_error")).toBe(true);
});

test.each([
  "Request too large for model on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.",
  "Rate limit reached: the maximum context length is 8192 tokens, you asked for 9000",
  "You exceeded your current quota, please check your plan.",
  "max_tokens is too large: 9000. This model supports at most 8192 completion tokens.",
  "The tool name exceeds the limit of 64 characters",
  "temperature must be <= 2",
  "Image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes",
])("but not %s", (message) => {
  expect(isContextOverflow(message)).toBe(false);
});
