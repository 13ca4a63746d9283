/** What lines and batches are told for which there was no time; the format's own code. */
export const EXPIRED = {
  code: "batch_expired",
  message: "This request could not be executed before the completion window expired.",
};
