import { z } from "zod";
import { issue } from "~/errors/message";
import { Flag, Id } from "~/http/body/fields";

const MAX_WORDS = 50;

/** Settings of the storage of an organisation's requests and answers. A missing box is unchecked. */
export const ConversationSettingsForm = z.strictObject({
  stored: Flag.default(false),
  days: z.coerce.number().int().min(1).max(365).default(30),
  redact_email: Flag.default(false),
  redact_card: Flag.default(false),
  redact_secret: Flag.default(false),
  /** One per line. */
  words: z
    .string()
    .max(6_000)
    .default("")
    .transform((text) => [
      ...new Set(
        text
          .split(/\r?\n/)
          .map((word) => word.trim())
          .filter((word) => word !== ""),
      ),
    ])
    .refine(
      (words) => words.length <= MAX_WORDS && words.every((word) => word.length >= 2 && word.length <= 100),
      issue("conversations:problem.words", { most: MAX_WORDS }),
    ),
  org_id: Id.optional(),
});
