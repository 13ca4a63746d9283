import { z } from "zod";
import { isLine } from "~/domain/accounts/shared";
import { issue } from "~/errors/message";

/**
 * `words`: case-insensitive words; `pattern`: a regular expression in RE2's syntax; `personal`: kinds of personal data.
 */
export const GUARDRAIL_KINDS = ["words", "pattern", "personal"] as const;
/** Checked texts: those sent to a model, its answers, or both. */
export const GUARDRAIL_SIDES = ["input", "output", "both"] as const;
/**
 * `refuse`: rejects the request, or ends its answer; `redact`: removes the match; `flag`: only notes it in the request
 * log.
 */
export const GUARDRAIL_ACTIONS = ["refuse", "redact", "flag"] as const;
export const PERSONAL_DATA = ["email", "phone", "card", "iban"] as const;

export type GuardrailAction = (typeof GUARDRAIL_ACTIONS)[number];
export type PersonalData = (typeof PERSONAL_DATA)[number];
export type Side = "input" | "output";

/** Maximum rules of one organisation, and of one key. */
export const MAX_RULES = 30;
export const MAX_WORDS = 100;
export const MAX_WORD_LENGTH = 80;
export const MAX_PATTERN_LENGTH = 500;

const line = (maximum: number) =>
  z.string().trim().min(1, issue("problems:enterAName")).max(maximum).refine(isLine, issue("problems:textUnshowable"));

export const GuardrailName = line(60);
const GuardrailWord = line(MAX_WORD_LENGTH);

const common = {
  /** Unique within one organisation or key. */
  id: z.string().regex(/^[0-9a-f]{12}$/),
  name: GuardrailName,
  on: z.enum(GUARDRAIL_SIDES),
  action: z.enum(GUARDRAIL_ACTIONS),
};

/** A rule. A word may start or end with `*`: it then also matches inside longer words. */
export const GuardrailRule = z.discriminatedUnion("kind", [
  z.object({ ...common, kind: z.literal("words"), words: z.array(GuardrailWord).min(1).max(MAX_WORDS) }),
  z.object({ ...common, kind: z.literal("pattern"), pattern: z.string().min(1).max(MAX_PATTERN_LENGTH) }),
  z.object({ ...common, kind: z.literal("personal"), data: z.array(z.enum(PERSONAL_DATA)).min(1) }),
]);
export type GuardrailRule = z.output<typeof GuardrailRule>;
type WithoutId<Rule> = Rule extends unknown ? Omit<Rule, "id"> : never;
export type NewGuardrailRule = WithoutId<GuardrailRule>;

/** Matches of one rule in a request or answer. `by`: the owner of the rule. */
export type GuardrailHit = {
  name: string;
  by: GuardrailHolder["kind"];
  on: Side;
  action: GuardrailAction;
  count: number;
};

/** Owner of guardrails. */
export type GuardrailHolder = { kind: "organisation" | "key"; id: number };

/** Treatment of a request if a webhook does not answer. */
export const GUARDRAIL_WEBHOOK_FAILURES = ["refuse", "allow"] as const;
/** Possible answers of a webhook. */
export const GUARDRAIL_WEBHOOK_ANSWERS = ["allow", "flag", "refuse"] as const;
export const WEBHOOK_TIMEOUT_MS = { least: 100, usual: 2_000, most: 10_000 } as const;

/**
 * A webhook in its stored form. `secret`, `sealed`: sealed for its holder; until its expiry, the previous secret signs,
 * too.
 */
export const StoredGuardrailWebhook = z.object({
  url: z.string(),
  timeoutMs: z.int().min(WEBHOOK_TIMEOUT_MS.least).max(WEBHOOK_TIMEOUT_MS.most),
  onFailure: z.enum(GUARDRAIL_WEBHOOK_FAILURES),
  secret: z.string(),
  previous: z.array(z.object({ sealed: z.string(), until: z.iso.datetime() })).max(1),
});
export type StoredGuardrailWebhook = z.output<typeof StoredGuardrailWebhook>;

/** A webhook that is called before a request is sent. */
export type GuardrailWebhook = Pick<StoredGuardrailWebhook, "url" | "timeoutMs" | "onFailure"> & {
  by: GuardrailHolder["kind"];
  /** Associated data of its sealed secrets. */
  place: string;
  secrets: readonly { sealed: string; until: string | null }[];
};

export type GuardrailWebhookChange =
  | ({ kind: "save" } & Pick<StoredGuardrailWebhook, "url" | "timeoutMs" | "onFailure">)
  | { kind: "rotate" }
  | { kind: "remove" };

/** A webhook as displayed. `url`: null for viewers without permission to change it. */
export type WebhookView = Pick<GuardrailWebhook, "timeoutMs" | "onFailure"> & { host: string; url: string | null };

/** Decision of a webhook. `problem`: reason for a missing answer, from gw; `ms`: duration. */
export type WebhookVerdict = {
  action: (typeof GUARDRAIL_WEBHOOK_ANSWERS)[number];
  reason: string | null;
  problem: string | null;
  ms: number;
};

/** A verdict in the request log, among the guardrail hits. */
export type WebhookNote = WebhookVerdict & { kind: "webhook"; by: GuardrailHolder["kind"] };

/** A change to the rules of an organisation or a key. */
export type GuardrailChange = { kind: "add"; rule: NewGuardrailRule } | { kind: "remove"; id: string };

/** All guardrails of a key. `webhooks`: in the order of their calls. */
export type Guardrails = {
  organisation: readonly GuardrailRule[];
  key: readonly GuardrailRule[];
  webhooks?: readonly GuardrailWebhook[];
};
