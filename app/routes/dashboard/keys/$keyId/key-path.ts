import { z } from "zod";
import { issue } from "~/errors/message";

/** The key's id in the portal, from the path. */
export const KeyPath = z.object({
  keyId: z
    .string()
    .regex(/^\d{1,10}$/, issue("problems:wholeNumber"))
    .transform(Number),
});
