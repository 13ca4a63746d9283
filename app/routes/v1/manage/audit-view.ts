import { z } from "zod";
import type { AuditEntry } from "~/domain/request-log/shared";
import { usdNumber } from "~/http/body/json/money-json";
import { encodeCursor } from "~/http/cursor";
import type { CsvCell } from "~/values/csv";
import { cursorOf, pageSize } from "./key-requests";

const LIST = "audit";
const MAX_ID = 2n ** 63n - 1n;
const MAX_COUNT = 1_000;

const Name = z
  .string()
  .min(1)
  .max(300)
  .regex(/^[^\0]*$/, "must not contain NUL");
const Moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], "must be an ISO 8601 date, or a time with its offset")
  .transform((text) => new Date(text))
  .refine((date) => date.getUTCFullYear() >= 1970 && date.getUTCFullYear() <= 9999, "must lie between 1970 and 9999");

/** Query of the audit log. `limit` stays null if it is missing: a page has a default, a file has no limit. */
export const AuditQuery = z
  .object({
    key_id: Name.optional(),
    model: Name.optional(),
    supplier: Name.optional(),
    region: Name.optional(),
    since: Moment.optional(),
    until: Moment.optional(),
    limit: pageSize(MAX_COUNT).optional(),
    cursor: cursorOf(LIST, MAX_ID).optional(),
  })
  .transform(({ key_id, limit, cursor, ...rest }) => ({
    filter: {
      keyId: key_id ?? null,
      model: rest.model ?? null,
      supplier: rest.supplier ?? null,
      region: rest.region ?? null,
      since: rest.since ?? null,
      until: rest.until ?? null,
    },
    limit: limit ?? null,
    beforeId: cursor ?? null,
  }));

export const auditPage = (entries: readonly AuditEntry[], nextBeforeId: bigint | null) => ({
  data: entries.map(auditAnswer),
  next_cursor: nextBeforeId === null ? null : encodeCursor(LIST, nextBeforeId),
});

/** One finished call: first the fields of the published audit entry, then further fields. */
function auditAnswer(entry: AuditEntry) {
  return {
    timestamp: entry.startedAt,
    key_id: entry.keyId,
    model: entry.model,
    supplier: entry.supplier,
    region: entry.region,
    input_tokens: entry.inputTokens,
    output_tokens: entry.outputTokens,
    cost_usd: entry.chargedNanoUsd,
    latency_ms: entry.latencyMs,
    request_id: entry.requestId,
    endpoint: entry.endpoint,
    requested_model: entry.requestedModel,
    status: entry.status,
    outcome: entry.outcome,
    error_code: entry.errorCode,
    stream: entry.stream,
    failover: entry.attempts > 1,
    session_id: entry.sessionId,
    cached_input_tokens: entry.cachedInputTokens,
    reasoning_tokens: entry.reasoningTokens,
    first_byte_ms: entry.firstByteMs,
    not_charged: entry.notCharged,
  };
}

type AuditAnswer = ReturnType<typeof auditAnswer>;

/** The columns of the file: the fields of the JSON entry, in the same order. */
export const AUDIT_COLUMNS = [
  "timestamp",
  "key_id",
  "model",
  "supplier",
  "region",
  "input_tokens",
  "output_tokens",
  "cost_usd",
  "latency_ms",
  "request_id",
  "endpoint",
  "requested_model",
  "status",
  "outcome",
  "error_code",
  "stream",
  "failover",
  "session_id",
  "cached_input_tokens",
  "reasoning_tokens",
  "first_byte_ms",
  "not_charged",
] as const satisfies readonly (keyof AuditAnswer)[];

/** Converts pages of entries to lines of the file. */
export async function* auditLines(
  pages: AsyncIterable<readonly AuditEntry[]>,
): AsyncGenerator<CsvCell[][], void, undefined> {
  for await (const page of pages) yield page.map(auditLine);
}

function auditLine(entry: AuditEntry): CsvCell[] {
  const answer = auditAnswer(entry);
  return AUDIT_COLUMNS.map((column) => {
    const value = answer[column];
    return typeof value === "bigint" ? usdNumber(value) : value;
  });
}
