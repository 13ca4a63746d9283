import { z } from "zod";
import { issue } from "~/errors/message";

/** URL of a webhook. Only the server can check whether it is allowed, because it depends on the operator's settings. */
export const WebhookForm = z.strictObject({
  act: z.enum(["save", "rotate", "test", "remove"]),
  /** Required by `save`. */
  url: z.string().trim().min(1, issue("problems:fillIn")).max(2_000).optional(),
});
