/** Error of batches, and of their lines, that ran out of time; code and message are those of OpenAI's batch API. */
export const EXPIRED = {
  code: "batch_expired",
  message: "This request could not be executed before the completion window expired.",
};
