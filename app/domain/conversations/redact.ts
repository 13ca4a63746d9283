import type { ConversationSettings, REDACTIONS } from "~/domain/organisations/shared";

/** What is put in the place of what was taken out. */
const GONE = "[redacted]";

/** Each in one pass without backtracking over more than a few characters. */
const PATTERNS: Readonly<Record<(typeof REDACTIONS)[number], RegExp>> = {
  email: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g,
  card: /\b\d(?:[ -]?\d){12,18}\b/g,
  secret: /\b(?:sk|pk|gw|ghp|gho|xox[abp]|AKIA)[-_]?[A-Za-z0-9_-]{16,200}\b/g,
};

/** A text without what the organisation's rules name: kinds of secrets, and words of its own in whatever case. */
export function redacted(text: string, { redact, words }: Pick<ConversationSettings, "redact" | "words">): string {
  let clean = text;
  for (const kind of redact) clean = clean.replace(PATTERNS[kind], GONE);
  for (const word of words) clean = clean.replace(new RegExp(escaped(word), "giu"), GONE);
  return clean;
}

const escaped = (word: string) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
