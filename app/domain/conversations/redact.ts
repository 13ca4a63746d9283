import type { ConversationSettings, REDACTIONS } from "~/domain/organisations/shared";

/** Replacement for redacted text. */
const GONE = "[redacted]";

/** Each pattern matches in one pass and backtracks over a few characters at most. */
const PATTERNS: Readonly<Record<(typeof REDACTIONS)[number], RegExp>> = {
  email: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g,
  card: /\b\d(?:[ -]?\d){12,18}\b/g,
  secret: /\b(?:sk|pk|gw|ghp|gho|xox[abp]|AKIA)[-_]?[A-Za-z0-9_-]{16,200}\b/g,
};

/**
 * Returns a text without the parts that the organisation's rules redact: kinds of secrets, and words of its own,
 * ignoring case.
 */
export function redacted(text: string, { redact, words }: Pick<ConversationSettings, "redact" | "words">): string {
  let clean = text;
  for (const kind of redact) clean = clean.replace(PATTERNS[kind], GONE);
  for (const word of words) clean = clean.replace(new RegExp(escaped(word), "giu"), GONE);
  return clean;
}

const escaped = (word: string) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
