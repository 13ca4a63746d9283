import { portalEndpoint } from "~/access/portal/endpoint.server";
import type { CsvCell } from "~/csv";
import { db } from "~/db.server";
import { exportRequests } from "~/domain/metering/index.server";
import type { LoggedRequest } from "~/domain/metering/shared";
import { csvResponse } from "~/http/csv";
import { formatUsd } from "~/money";
import { logQuestion, RequestLogQuery } from "./query.server";

const HEADER = [
  ...["id", "request_id", "started_at", "endpoint", "requested_model", "model", "supplier", "region", "stream"],
  ...["key_id", "key", "user_id", "user", "session", "outcome", "status", "code", "attempts"],
  ...["input_tokens", "cached_input_tokens", "cache_write_tokens", "output_tokens", "reasoning_tokens"],
  ...["first_byte_ms", "latency_ms", "charged_usd"],
];

const log = portalEndpoint({
  query: RequestLogQuery,
  allow: "viewer",
  GET: async ({ actor, query }) => {
    const { scope, filter } = await logQuestion(db(), actor, query);
    return csvResponse("requests.csv", HEADER, pagesOf(exportRequests(db(), scope, filter)));
  },
});

async function* pagesOf(pages: AsyncIterable<LoggedRequest[]>): AsyncGenerator<CsvCell[][], void, undefined> {
  for await (const page of pages) yield page.map(lineOf);
}

const lineOf = (request: LoggedRequest): CsvCell[] => [
  ...[String(request.id), request.requestId, request.startedAt, request.endpoint, request.requestedModel],
  ...[request.model, request.supplier, request.region, request.stream, request.keyId, request.keyName],
  ...[request.userId, request.userName, request.sessionId, request.outcome, request.status, request.errorCode],
  ...[request.attempts, request.inputTokens, request.cachedInputTokens, request.cacheWriteTokens],
  ...[request.outputTokens, request.reasoningTokens, request.firstByteMs, request.latencyMs],
  formatUsd(request.chargedNanoUsd),
];

export const loader = log;
export const action = log;
