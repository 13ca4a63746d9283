import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db, plainReads } from "~/connection/db.server";
import { exportRejectedRequests, exportRequests } from "~/domain/request-log/index.server";
import type { LoggedRequest, RejectedRequests } from "~/domain/request-log/shared";
import { csvResponse } from "~/http/body/csv";
import type { CsvCell } from "~/values/csv";
import { formatUsd } from "~/values/money";
import { logQuestion, RequestLogQuery } from "./query.server";

const HEADER = [
  ...["id", "request_id", "started_at", "endpoint", "requested_model", "model", "supplier", "region", "stream"],
  ...["key_id", "key", "user_id", "user", "session", "outcome", "status", "code", "attempts"],
  ...["input_tokens", "cached_input_tokens", "cache_write_tokens", "output_tokens", "reasoning_tokens"],
  ...["first_byte_ms", "latency_ms", "charged_usd", "department", "settled_at", "locked_to", "not_charged"],
];

const log = portalEndpoint({
  query: RequestLogQuery,
  allow: "viewer",
  GET: async ({ actor, query }) => {
    const { scope, filter, rejected } = await logQuestion(db(), actor, query);
    return rejected === null
      ? csvResponse("requests.csv", HEADER, linesOf(exportRequests(plainReads(), scope, filter), lineOf))
      : csvResponse(
          "rejected-requests.csv",
          REJECTED_HEADER,
          linesOf(exportRejectedRequests(plainReads(), scope, rejected), rejectedLineOf),
        );
  },
});

async function* linesOf<Row>(
  pages: AsyncIterable<Row[]>,
  lineOf: (row: Row) => CsvCell[],
): AsyncGenerator<CsvCell[][], void, undefined> {
  for await (const page of pages) yield page.map(lineOf);
}

const REJECTED_HEADER = [
  ...["request_id", "first_at", "last_at", "times", "endpoint", "model", "key_id", "key", "user_id", "user"],
  ...["status", "code", "param", "message"],
];

const rejectedLineOf = (burst: RejectedRequests): CsvCell[] => [
  ...[burst.requestId, burst.firstAt, burst.at, burst.times, burst.endpoint, burst.model, burst.keyId],
  ...[burst.keyName, burst.userId, burst.userName, burst.status, burst.code, burst.param, burst.humanMessage],
];

const lineOf = (request: LoggedRequest): CsvCell[] => [
  ...[String(request.id), request.requestId, request.startedAt, request.endpoint, request.requestedModel],
  ...[request.model, request.supplier, request.region, request.stream, request.keyId, request.keyName],
  ...[request.userId, request.userName, request.sessionId, request.outcome, request.status, request.errorCode],
  ...[request.attempts, request.inputTokens, request.cachedInputTokens, request.cacheWriteTokens],
  ...[request.outputTokens, request.reasoningTokens, request.firstByteMs, request.latencyMs],
  ...[
    formatUsd(request.chargedNanoUsd),
    request.departmentName,
    request.settledAt,
    request.lockedTo,
    request.notCharged,
  ],
];

export const loader = log;
export const action = log;
