import { z } from "zod";
import { issue } from "~/errors/message";
import { problemOf } from "~/http/validation-problem";

/** The path of one key: the portal's whole number. */
export const KeyPath = z.object({
  keyId: z
    .string()
    .regex(/^\d{1,10}$/, issue("problems:wholeNumber"))
    .transform(Number),
});

/** @throws ValidationError, answered 422. */
export function keyOfPath(params: Readonly<Record<string, string | undefined>>): { keyId: number } {
  const read = KeyPath.safeParse(params);
  if (read.success) return read.data;
  throw problemOf(read.error, "path");
}
