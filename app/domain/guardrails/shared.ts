import { z } from "zod";
import { isLine } from "~/domain/identity/shared";
import { issue } from "~/errors/message";

/** `words`: texts in whatever case; `pattern`: a regular expression in RE2's syntax; `personal`: kinds of personal data. */
export const GUARDRAIL_KINDS = ["words", "pattern", "personal"] as const;
/** What is checked: what goes to a model, what comes back, or both. */
export const GUARDRAIL_SIDES = ["input", "output", "both"] as const;
/** `refuse`: the request, or the rest of its answer; `redact`: the match only; `flag`: nothing, but the request log says so. */
export const GUARDRAIL_ACTIONS = ["refuse", "redact", "flag"] as const;
export const PERSONAL_DATA = ["email", "phone", "card", "iban"] as const;

export type GuardrailAction = (typeof GUARDRAIL_ACTIONS)[number];
export type PersonalData = (typeof PERSONAL_DATA)[number];
export type Side = "input" | "output";

/** Of one organisation, and of one key. */
export const MAX_RULES = 30;
export const MAX_WORDS = 100;
export const MAX_WORD_LENGTH = 80;
export const MAX_PATTERN_LENGTH = 500;

const line = (maximum: number) =>
  z.string().trim().min(1, issue("problems:enterAName")).max(maximum).refine(isLine, issue("problems:textUnshowable"));

export const GuardrailName = line(60);
const GuardrailWord = line(MAX_WORD_LENGTH);

const common = {
  /** Told apart by it within one organisation or key. */
  id: z.string().regex(/^[0-9a-f]{12}$/),
  name: GuardrailName,
  on: z.enum(GUARDRAIL_SIDES),
  action: z.enum(GUARDRAIL_ACTIONS),
};

/** One rule. A word may begin or end with `*`: then it is also found inside longer words. */
export const GuardrailRule = z.discriminatedUnion("kind", [
  z.object({ ...common, kind: z.literal("words"), words: z.array(GuardrailWord).min(1).max(MAX_WORDS) }),
  z.object({ ...common, kind: z.literal("pattern"), pattern: z.string().min(1).max(MAX_PATTERN_LENGTH) }),
  z.object({ ...common, kind: z.literal("personal"), data: z.array(z.enum(PERSONAL_DATA)).min(1) }),
]);
export type GuardrailRule = z.output<typeof GuardrailRule>;
type WithoutId<Rule> = Rule extends unknown ? Omit<Rule, "id"> : never;
export type NewGuardrailRule = WithoutId<GuardrailRule>;

/** What one rule found in one request or answer. `by`: whose rule it is. */
export type GuardrailHit = {
  name: string;
  by: GuardrailHolder["kind"];
  on: Side;
  action: GuardrailAction;
  count: number;
};

/** Whose guardrails they are. */
export type GuardrailHolder = { kind: "organisation" | "key"; id: number };

/** What becomes of a request when a webhook gives no answer. */
export const GUARDRAIL_WEBHOOK_FAILURES = ["refuse", "allow"] as const;
/** What a webhook may answer. */
export const GUARDRAIL_WEBHOOK_ANSWERS = ["allow", "flag", "refuse"] as const;
export const WEBHOOK_TIMEOUT_MS = { least: 100, usual: 2_000, most: 10_000 } as const;

/** A webhook as it is stored. `secret`, `sealed`: sealed for its holder; the one before signs, too, until its time. */
export const StoredGuardrailWebhook = z.object({
  url: z.string(),
  timeoutMs: z.int().min(WEBHOOK_TIMEOUT_MS.least).max(WEBHOOK_TIMEOUT_MS.most),
  onFailure: z.enum(GUARDRAIL_WEBHOOK_FAILURES),
  secret: z.string(),
  previous: z.array(z.object({ sealed: z.string(), until: z.iso.datetime() })).max(1),
});
export type StoredGuardrailWebhook = z.output<typeof StoredGuardrailWebhook>;

/** A webhook that is asked before a request is sent. */
export type GuardrailWebhook = Pick<StoredGuardrailWebhook, "url" | "timeoutMs" | "onFailure"> & {
  by: GuardrailHolder["kind"];
  /** What its secrets are sealed for. */
  place: string;
  secrets: readonly { sealed: string; until: string | null }[];
};

export type GuardrailWebhookChange =
  | ({ kind: "save" } & Pick<StoredGuardrailWebhook, "url" | "timeoutMs" | "onFailure">)
  | { kind: "rotate" }
  | { kind: "remove" };

/** What is shown of a webhook. `url`: null for who may not change it. */
export type WebhookView = Pick<GuardrailWebhook, "timeoutMs" | "onFailure"> & { host: string; url: string | null };

/** What a webhook decided. `problem`: why it gave no answer, in the words of the program; `ms`: how long it took. */
export type WebhookVerdict = {
  action: (typeof GUARDRAIL_WEBHOOK_ANSWERS)[number];
  reason: string | null;
  problem: string | null;
  ms: number;
};

/** A verdict as it stands in the request log, among the hits. */
export type WebhookNote = WebhookVerdict & { kind: "webhook"; by: GuardrailHolder["kind"] };

/** A change of an organisation's or a key's rules. */
export type GuardrailChange = { kind: "add"; rule: NewGuardrailRule } | { kind: "remove"; id: string };

/** All that holds for a key. `webhooks`: in the order in which they are asked. */
export type Guardrails = {
  organisation: readonly GuardrailRule[];
  key: readonly GuardrailRule[];
  webhooks?: readonly GuardrailWebhook[];
};
