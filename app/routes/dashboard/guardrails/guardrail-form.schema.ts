import { z } from "zod";
import {
  GUARDRAIL_ACTIONS,
  GUARDRAIL_KINDS,
  GUARDRAIL_SIDES,
  GuardrailName,
  MAX_PATTERN_LENGTH,
  MAX_WORD_LENGTH,
  MAX_WORDS,
  PERSONAL_DATA,
} from "~/domain/guardrails/shared";
import { issue } from "~/errors/message";
import { Flag, Id } from "~/http/fields";

/** Whose guardrails: a key's, else an organisation's; without either the organisation that is looked at. */
const holder = { key_id: Id.optional(), org_id: Id.optional() };

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  ),
];

/** A guardrail to add. `text`: words and phrases, one per line, or a pattern; the boxes: kinds of personal data. */
export const GuardrailForm = z
  .strictObject({
    name: GuardrailName,
    kind: z.enum(GUARDRAIL_KINDS).default("words"),
    text: z
      .string()
      .max(MAX_WORDS * (MAX_WORD_LENGTH + 2))
      .default(""),
    email: Flag.default(false),
    phone: Flag.default(false),
    card: Flag.default(false),
    iban: Flag.default(false),
    on: z.enum(GUARDRAIL_SIDES).default("both"),
    action: z.enum(GUARDRAIL_ACTIONS).default("redact"),
    ...holder,
  })
  .superRefine((form, context) => {
    const lines = linesOf(form.text);
    const fault = (message: string, path: string) => context.addIssue({ code: "custom", message, path: [path] });
    if (form.kind === "personal") {
      if (!PERSONAL_DATA.some((data) => form[data])) fault(issue("guardrails:problem.personal"), "email");
    } else if (lines.length === 0) fault(issue("guardrails:problem.empty"), "text");
    else if (
      form.kind === "words" &&
      (lines.length > MAX_WORDS || lines.some(({ length }) => length > MAX_WORD_LENGTH))
    )
      fault(issue("guardrails:problem.words", { most: MAX_WORDS, long: MAX_WORD_LENGTH }), "text");
    else if (form.kind === "pattern" && (lines.length > 1 || form.text.trim().length > MAX_PATTERN_LENGTH))
      fault(issue("guardrails:problem.pattern", { most: MAX_PATTERN_LENGTH }), "text");
  })
  .transform(({ name, kind, text, on, action, key_id, org_id, ...boxes }) => {
    const common = { name, on, action };
    const rule =
      kind === "words"
        ? { ...common, kind, words: linesOf(text) }
        : kind === "pattern"
          ? { ...common, kind, pattern: text.trim() }
          : { ...common, kind, data: PERSONAL_DATA.filter((data) => boxes[data]) };
    return { rule, key_id, org_id };
  });

/** A guardrail to remove. */
export const GuardrailRemovalForm = z.strictObject({ id: z.string().regex(/^[0-9a-f]{12}$/), ...holder });

/** A text to try the guardrails on. */
export const GuardrailTestForm = z.strictObject({
  sample: z.string().min(1).max(4_000),
  side: z.enum(["input", "output"]).default("input"),
  ...holder,
});
