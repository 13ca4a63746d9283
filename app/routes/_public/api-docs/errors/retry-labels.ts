import type { RetryKind } from "~/errors/catalogue-entry";

/** Label and colour of a kind of retry. */
export const RETRY_LABELS: Readonly<Record<RetryKind, { words: string; look: string }>> = {
  wait: { words: "Wait, then repeat", look: "bg-info-soft text-info" },
  same_key: { words: "Repeat with the same key", look: "bg-info-soft text-info" },
  after_change: { words: "Repeat once corrected", look: "bg-sunken text-ink-2" },
  check: { words: "Check before repeating", look: "bg-held-soft text-held-ink" },
  never: { words: "Do not repeat", look: "bg-bad-soft text-bad" },
};
