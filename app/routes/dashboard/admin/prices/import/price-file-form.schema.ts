import { z } from "zod";
import { MAX_FILE_CHARACTERS } from "~/domain/catalogue/shared";
import { issue } from "~/errors/message";
import { OptionalMoment } from "~/http/body/fields";

/**
 * A price file: uploaded, or as text. `apply` sets the prices of a preview, which its `fingerprint` identifies. They
 * take effect at `from`, or at once.
 */
export const PriceFileForm = z.strictObject({
  act: z.enum(["preview", "apply"]).default("preview"),
  text: z.string().max(MAX_FILE_CHARACTERS, issue("problems:fileTooLong")).default(""),
  file: z.union([z.literal(""), z.file().max(MAX_FILE_CHARACTERS, issue("problems:fileTooLong"))]).optional(),
  from: OptionalMoment.default(null),
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});
