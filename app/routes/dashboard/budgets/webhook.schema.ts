import { z } from "zod";
import { issue } from "~/errors/message";

/** An address of a webhook. Whether it may be one is for the server to say, which knows the operator's settings. */
export const WebhookForm = z.strictObject({
  act: z.enum(["save", "rotate", "test", "remove"]),
  /** Of `save`. */
  url: z.string().trim().min(1, issue("problems:fillIn")).max(2_000).optional(),
});
