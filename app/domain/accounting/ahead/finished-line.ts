import { type FinishedText, UNITS } from "../batch-text";
import type { AttemptRecord, CallOutcome, Settlement, UsedUnits } from "../shared";
import { CHECKSUM_LENGTH, checkedText, checksum } from "./checked-line";

const LINE_FEED = "\n".charCodeAt(0);

/**
 * Writes a settlement's text into a buffer as one line: line feed, checksum, blank, row, tab, attempts, line feed. The text exists
 * already as the value of the SQL statement, so this is cheap. Returns the bytes written; 0: the buffer is too small, or the text
 * has a line feed.
 */
export function writeFinishedLine(buffer: Buffer, { call, attempts }: FinishedText): number {
  const begin = 1 + CHECKSUM_LENGTH + 1;
  // A UTF-16 code unit takes at most three bytes in UTF-8.
  if (begin + (call.length + attempts.length + 1) * 3 + 1 > buffer.length || call.includes("\n")) return 0;
  const end = begin + buffer.write(`${call}\t${attempts}`, begin);
  buffer[0] = LINE_FEED;
  buffer.write(`${checksum(buffer.subarray(begin, end))} `, 1, "latin1");
  buffer[end] = LINE_FEED;
  return end + 1;
}

/** Reads such a line without its line feeds; null when it is torn. Characters that PostgreSQL cannot store are already removed. */
export function readFinishedLine(line: string): Settlement | null {
  const text = checkedText(line);
  if (text === null) return null;
  const tab = text.lastIndexOf("\t");
  return settlementOf(fieldsOf(text.slice(0, tab)), JSON.parse(text.slice(tab + 1)) as AttemptRecord[]);
}

/** Fields of a composite inside an array literal, in the order of `finished_call`; null for an empty unquoted field. */
function fieldsOf(call: string): (string | null)[] {
  const row = call.slice(1, -1).replace(/\\(.)/gs, "$1");
  return [...row.slice(1, -1).matchAll(/(?:^|,)(?:"((?:[^"\\]|\\.|"")*)"|([^,]*))/gs)].map(([, quoted, plain]) =>
    quoted === undefined ? plain || null : quoted.replace(/""|\\(.)/gs, (_, kept) => kept ?? '"'),
  );
}

/** Inverse of `finishedText`. Lines of older releases may lack fields at the end. */
function settlementOf(fields: readonly (string | null)[], attempts: readonly AttemptRecord[]): Settlement {
  let at = 0;
  const text = () => fields[at++] ?? "";
  const optional = () => fields[at++] ?? null;
  const number = () => Number(text());
  const optionalNumber = () => {
    const field = optional();
    return field === null ? null : Number(field);
  };
  const flag = () => text() === "t";
  const document = () => {
    const field = optional();
    return field === null ? null : (JSON.parse(field) as object);
  };
  const settlement = {
    callId: text(),
    organisationId: number(),
    keyId: number(),
    userId: optionalNumber(),
    departmentId: optionalNumber(),
    projectId: optionalNumber(),
    walletId: number(),
    exempt: flag(),
    held: flag(),
    costNanoUsd: BigInt(text()),
    outcome: text() as CallOutcome,
    priceVersion: number(),
    endpoint: text(),
    requestedModel: text(),
    model: text(),
    supplier: text(),
    region: text(),
    stream: flag(),
    sessionId: optional(),
    inputTokens: number(),
    cachedInputTokens: number(),
    cacheWriteTokens: number(),
    outputTokens: number(),
    reasoningTokens: number(),
    tokenSource: text() as Settlement["tokenSource"],
    status: number(),
    errorCode: optional(),
  };
  // Skips the number of attempts.
  at += 1;
  const times = { startedAt: new Date(number()), firstByteMs: optionalNumber(), latencyMs: number() };
  const units: UsedUnits = {};
  for (const unit of UNITS) {
    const used = optionalNumber();
    if (used !== null) units[unit] = used;
  }
  const without = optional();
  return {
    ...settlement,
    attempts,
    ...times,
    units: Object.keys(units).length === 0 ? null : units,
    counterfactualNanoUsd: without === null ? null : BigInt(without),
    routing: document(),
    refusedUsage: document(),
  };
}
