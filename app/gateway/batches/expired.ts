/** Error of lines and batches that ran out of time, with the format's own code. */
export const EXPIRED = {
  code: "batch_expired",
  message: "This request could not be executed before the completion window expired.",
};
