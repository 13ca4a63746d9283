import { expect, test } from "vitest";
import { SupplierFailure } from "../../canonical/supplier-failure";
import { asMessagesFailure } from "./failures";

const refused = (message: string, supplierCode: string | null = null) =>
  new SupplierFailure("status", message, {
    executed: "no",
    status: 400,
    supplierCode,
    supplierParam: "messages",
    isReported: true,
    retryAfterSeconds: 3,
  });

test.each([
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
  "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8500 in the messages).",
  "Input tokens exceed the configured limit of 8192 tokens. Your messages resulted in 9000 tokens.",
  "The input token count (9000) exceeds the maximum number of tokens allowed (8192).",
  "Prompt contains 9000 tokens and 0 draft tokens, too large for model with 8192 maximum context length",
])("a messages client is told that the prompt is too long in the words it looks for", (message) => {
  expect(asMessagesFailure(refused(message, "context_length_exceeded"))).toMatchObject({
    message: "prompt is too long: 9000 tokens > 8192 maximum",
    supplierCode: "context_length_exceeded",
    supplierParam: "messages",
    isReported: true,
    status: 400,
    retryAfterSeconds: 3,
  });
});

test.each([
  ["Your input exceeds the context window of this model.", null],
  ["No.", "context_length_exceeded"],
])("also where there are no figures: %s", (message, code) => {
  expect(asMessagesFailure(refused(message, code)).message).toBe(`prompt is too long: ${message}`);
});

test("every other refusal stays as it is", () => {
  const failure = refused("No such tool");
  expect(asMessagesFailure(failure)).toBe(failure);
});
