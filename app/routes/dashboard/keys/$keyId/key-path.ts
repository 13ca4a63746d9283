import { z } from "zod";
import { issue } from "~/errors/message";

/** The path of one key: the portal's whole number. */
export const KeyPath = z.object({
  keyId: z
    .string()
    .regex(/^\d{1,10}$/, issue("problems:wholeNumber"))
    .transform(Number),
});
