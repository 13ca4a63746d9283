import { z } from "zod";
import {
  GUARDRAIL_ACTIONS,
  GUARDRAIL_KINDS,
  GUARDRAIL_SIDES,
  GUARDRAIL_WEBHOOK_FAILURES,
  GuardrailName,
  MAX_PATTERN_LENGTH,
  MAX_WORD_LENGTH,
  MAX_WORDS,
  PERSONAL_DATA,
  WEBHOOK_TIMEOUT_MS,
} from "~/domain/guardrails/shared";
import { issue } from "~/errors/message";
import { Flag, Id } from "~/http/body/fields";

/** Owner of the guardrails: a key, else an organisation; without either the organisation in view. */
const holder = { key_id: Id.optional(), org_id: Id.optional() };

const TIMEOUT = issue("guardrails:problem.timeout", {
  least: WEBHOOK_TIMEOUT_MS.least,
  most: WEBHOOK_TIMEOUT_MS.most,
});

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

/**
 * A text for a test of the guardrails. `webhook`: whether to call the webhooks too, with the text that would be sent.
 */
export const GuardrailTestForm = z.strictObject({
  sample: z.string().min(1).max(4_000),
  side: z.enum(["input", "output"]).default("input"),
  webhook: Flag.default(false),
  ...holder,
});

/** An action on a webhook. `url`, `timeout_ms` and `on_failure`: for `save`. */
export const GuardrailWebhookForm = z
  .strictObject({
    act: z.enum(["save", "rotate", "remove"]),
    url: z.string().trim().min(1, issue("problems:fillIn")).max(2_000).optional(),
    timeout_ms: z.coerce
      .number(TIMEOUT)
      .int(TIMEOUT)
      .min(WEBHOOK_TIMEOUT_MS.least, TIMEOUT)
      .max(WEBHOOK_TIMEOUT_MS.most, TIMEOUT)
      .default(WEBHOOK_TIMEOUT_MS.usual),
    on_failure: z.enum(GUARDRAIL_WEBHOOK_FAILURES).default("refuse"),
    ...holder,
  })
  .superRefine(({ act, url }, context) => {
    if (act === "save" && url === undefined)
      context.addIssue({ code: "custom", message: issue("problems:fillIn"), path: ["url"] });
  })
  .transform(({ act, url = "", timeout_ms: timeoutMs, on_failure: onFailure, ...asked }) => ({
    ...asked,
    change: act === "save" ? { kind: act, url, timeoutMs, onFailure } : { kind: act },
  }));
