import * as field from "./link/composite-text";
import { isSameParties } from "./parties";
import type { AttemptRecord, HoldRequest, Parties, Settlement, UsedUnits } from "./shared";

/** The columns that a requested and a finished call share, after their id. */
const PARTIES = field.columns<Parties>({
  ...field.all(field.integer, "organisationId", "keyId"),
  ...field.all(field.optional(field.integer), "userId", "departmentId", "projectId"),
  walletId: field.integer,
  exempt: field.flag,
});

type Details = "counterfactualNanoUsd" | "routing" | "refusedUsage";

/** The columns of `finished_call` after the parties. Their order is also that of lines in write-ahead logs: append only. */
const FINISHED = field.columns<Omit<Settlement, "callId" | keyof Parties | "units" | Details>>({
  held: field.flag,
  costNanoUsd: field.nanoUsd,
  outcome: field.word(),
  priceVersion: field.integer,
  ...field.all(field.sharedText, "endpoint", "requestedModel", "model", "supplier", "region"),
  stream: field.flag,
  sessionId: field.optional(field.text),
  ...field.all(
    field.quantity,
    "inputTokens",
    "cachedInputTokens",
    "cacheWriteTokens",
    "outputTokens",
    "reasoningTokens",
  ),
  tokenSource: field.word(),
  status: { write: (status) => (status >= 100 && status <= 599 ? field.count(status) : 0), read: Number },
  errorCode: field.optional(field.text),
  // The row has their number, and the attempts are JSON beside it.
  attempts: { write: ({ length }) => length, read: () => [] },
  startedAt: field.time,
  firstByteMs: field.optional(field.quantity),
  latencyMs: field.quantity,
});

/** The last columns, which few calls use. Journals of older releases lack them. */
const UNITS = field.columns<UsedUnits>({
  ...field.all(field.unit, "cacheWriteLongTokens", "audioInputTokens", "audioOutputTokens"),
  ...field.all(field.unit, "milliseconds", "characters", "requests", "toolUses"),
});
const DETAILS = field.columns<Pick<Settlement, Details>>({
  counterfactualNanoUsd: field.optional(field.nanoUsd),
  ...field.all(field.optional(field.jsonDocument), "routing", "refusedUsage"),
});
const NO_DETAILS = UNITS.write({}) + DETAILS.write({});

/** The values of `accounting_admit`: one composite per call. */
export function admitValues(batch: readonly HoldRequest[], owner: string, lease: string): [string, string, string] {
  let calls = "{";
  let comma = "";
  for (const call of batch) {
    calls += `${comma}"(${call.callId}${parties(call)},${call.amountNanoUsd},${call.rateLimitRpm ?? ""},${call.priceVersion},${call.isSpare === true ? "t" : "f"})"`;
    comma = ",";
  }
  return [`${calls}}`, owner, lease];
}

/** A settlement as the database reads it: a row of `finished_call`, quoted for an array, and its attempts as JSON. */
export type FinishedText = { readonly call: string; readonly attempts: string };

/** Encodes a settlement. Texts and counts are bounded, so no settlement can make its batch fail. */
export function finishedText(call: Settlement): FinishedText {
  const { units, counterfactualNanoUsd, routing, refusedUsage } = call;
  const isPlain = !units && !counterfactualNanoUsd && !routing && !refusedUsage;
  const details = isPlain ? NO_DETAILS : UNITS.write(units ?? {}) + DETAILS.write(call);
  return {
    call: `"(${call.callId}${parties(call)}${FINISHED.write(call)}${details})"`,
    attempts: field.json(call.attempts),
  };
}

/** Inverse of `finishedText`. Rows of older releases may lack fields at the end. */
export function readFinished({ call, attempts }: FinishedText): Settlement {
  const fields = field.fieldsOf(call);
  const callId = fields.shift() ?? "";
  const row = { ...PARTIES.read(fields), ...FINISHED.read(fields), attempts: JSON.parse(attempts) as AttemptRecord[] };
  const units = UNITS.read(fields);
  const isUsed = Object.values(units).some((used) => used !== undefined);
  return { callId, ...row, units: isUsed ? units : null, ...DETAILS.read(fields) };
}

/** The values of `accounting_settle`. */
export function settleValues(batch: readonly FinishedText[], actor: string): [string, string, string] {
  let calls = "{";
  let attempts = "[";
  let comma = "";
  for (const written of batch) {
    calls += comma + written.call;
    attempts += comma + written.attempts;
    comma = ",";
  }
  return [`${calls}}`, `${attempts}]`, actor];
}

/** Parties of the last call and their text; consecutive calls often have the same parties. */
let lastParties: Parties | null = null;
let lastText = "";

function parties(of: Parties): string {
  if (lastParties === null || !isSameParties(lastParties, of)) {
    lastText = PARTIES.write(of);
    lastParties = of;
  }
  return lastText;
}
