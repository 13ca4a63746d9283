import { isSameParties } from "./parties";
import type { AttemptRecord, HoldRequest, Parties, Settlement } from "./shared";

/**
 * Encodes a batch as a PostgreSQL array literal of composites, one per call. `pg` sends text anyway, and a row built here is several
 * times cheaper than arrays of values or JSON, for this process and for the database.
 */
export function admitValues(batch: readonly HoldRequest[], owner: string, lease: string): [string, string, string] {
  let calls = "{";
  let comma = "";
  for (const call of batch) {
    calls += `${comma}"(${call.callId},${parties(call)},${call.amountNanoUsd},${call.rateLimitRpm ?? ""},${call.priceVersion},${call.isSpare === true ? "t" : "f"})"`;
    comma = ",";
  }
  return [`${calls}}`, owner, lease];
}

/** A settlement as the database reads it: a row of `finished_call`, quoted for an array, and its attempts as JSON. */
export type FinishedText = { readonly call: string; readonly attempts: string };

/** Encodes a settlement. Texts and counts are bounded, so no settlement can make its batch fail. */
export function finishedText(call: Settlement): FinishedText {
  return {
    call: `"(${call.callId},${parties(call)},${call.held ? "t" : "f"},${call.costNanoUsd},${call.outcome},${call.priceVersion},${nameOf(call.endpoint)},${nameOf(call.requestedModel)},${nameOf(call.model)},${nameOf(call.supplier)},${nameOf(call.region)},${call.stream ? "t" : "f"},${call.sessionId === null ? "" : field(call.sessionId)},${count(call.inputTokens)},${count(call.cachedInputTokens)},${count(call.cacheWriteTokens)},${count(call.outputTokens)},${count(call.reasoningTokens)},${call.tokenSource},${call.status >= 100 && call.status <= 599 ? count(call.status) : 0},${call.errorCode === null ? "" : field(call.errorCode)},${call.attempts.length},${call.startedAt.getTime()},${call.firstByteMs === null ? "" : count(call.firstByteMs)},${count(call.latencyMs)},${detailsOf(call)})"`,
    attempts: json(call.attempts),
  };
}

/** The values of `accounting_settle`. */
export function settleValues(batch: readonly FinishedText[], actor: string): [string, string, string] {
  let calls = "{";
  let attempts = "[";
  let comma = "";
  for (const text of batch) {
    calls += comma + text.call;
    attempts += comma + text.attempts;
    comma = ",";
  }
  return [`${calls}}`, `${attempts}]`, actor];
}

/** Encodes ids, numbers or null as an array literal. */
export function arrayText(values: readonly (string | number | bigint | null)[]): string {
  return `{${values.map((value) => (typeof value === "string" ? quoted(value) : (value ?? "NULL"))).join(",")}}`;
}

const MAX_TEXT_LENGTH = 400;
const LARGEST_COUNT = 2_147_483_647;
const PLAIN = /^[\w./:-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what the database cannot keep
const NUL = /\u0000/g;

/** Parties of the last call and their text; consecutive calls often have the same parties. */
let lastParties: Parties | null = null;
let lastText = "";

function parties(of: Parties): string {
  if (lastParties === null || !isSameParties(lastParties, of)) {
    lastText = `${of.organisationId},${of.keyId},${of.userId ?? ""},${of.departmentId ?? ""},${of.projectId ?? ""},${of.walletId},${of.exempt ? "t" : "f"}`;
    lastParties = of;
  }
  return lastText;
}

/** The units of `finished_call`, in the order of its columns. */
export const UNITS = [
  "cacheWriteLongTokens",
  "audioInputTokens",
  "audioOutputTokens",
  "milliseconds",
  "characters",
  "requests",
  "toolUses",
] as const;

/** The last columns, which few calls use. Journals of older releases lack them. */
function detailsOf({ units, counterfactualNanoUsd, routing, refusedUsage }: Settlement): string {
  if (!units && !counterfactualNanoUsd && !routing && !refusedUsage) return ",,,,,,,,,";
  return `${UNITS.map((unit) => some(units?.[unit])).join(",")},${counterfactualNanoUsd ?? ""},${document(routing)},${document(refusedUsage)}`;
}

const some = (value: number | undefined) => (value === undefined ? "" : count(value));
const document = (value: object | null | undefined) => (value ? escaped(json(value)) : "");

/** Encodes a text inside a composite inside an array. An empty text is quoted, because an empty field would be NULL. */
function field(text: string): string {
  return text.length <= MAX_TEXT_LENGTH && PLAIN.test(text) ? text : escaped(storable(text));
}

/** As `field`, cached, for names that many calls share: models, suppliers, regions. */
function nameOf(text: string): string {
  if (plainNames.has(text)) return text;
  const written = field(text);
  if (written === text && plainNames.size < MAX_NAMES) plainNames.add(text);
  return written;
}

const MAX_NAMES = 1_000;
const plainNames = new Set<string>();

/** Quotes a text for the composite, and the result for the array. */
const escaped = (text: string) => `\\"${text.replace(/["\\]/g, (mark) => (mark === '"' ? '\\"\\"' : "\\\\\\\\"))}\\"`;

function quoted(text: string): string {
  // Four letters are always quoted, because an unquoted NULL is no text.
  if (text.length <= MAX_TEXT_LENGTH && text.length !== 4 && PLAIN.test(text)) return text;
  return `"${storable(text).replace(/["\\]/g, "\\$&")}"`;
}

/** The part of a text that PostgreSQL can store: no NUL, no lone surrogate, bounded length. */
function storable(text: string): string {
  return text
    .slice(0, MAX_TEXT_LENGTH)
    .replace(NUL, "")
    .replace(/\p{Surrogate}/gu, "\ufffd");
}

/** Fits a number into an integer column: whole, at least 0, bounded. A value out of range would fail the whole batch. */
export function count(value: number): number {
  return value >= 0 ? Math.min(Math.trunc(value), LARGEST_COUNT) : 0;
}

/** JSON that `jsonb` accepts: without NUL and lone surrogates. */
function json(value: object | readonly AttemptRecord[]): string {
  const text = JSON.stringify(value);
  return text.includes("\\u") && /\\u(?:0000|d[89a-f])/i.test(text)
    ? JSON.stringify(value, (_, part) => (typeof part === "string" ? storable(part) : part))
    : text;
}
