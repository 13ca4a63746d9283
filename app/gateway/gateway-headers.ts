import { formatUsd } from "~/values/money";
import type { Attempts } from "./call/attempts";
import type { Call } from "./call-record";
import type { Usage } from "./canonical/usage";
import type { PricedRoute } from "./route/route-plan";

/** Facts about an answer that are known before its first byte is sent. */
type Answer = { call: Call; route: PricedRoute; attempts: Attempts };

/** Returns the headers that identify the call and its supplier; known before the first byte. */
export function gatewayHeaders({ call, route, attempts }: Answer): Record<string, string> {
  const headers: Record<string, string> = {
    "x-request-id": call.id,
    // SDKs of the messages dialect look for the id under this name.
    "request-id": call.id,
    "x-gw-supplier": route.supplier.name,
    "x-gw-region": route.supplier.region,
    "x-gw-failover": attempts.records.length > 1 ? "true" : "false",
    "x-gw-latency-ms": String(attempts.firstByteMs ?? call.elapsedMs()),
  };
  if (call.clientRequestId !== null) headers["x-client-request-id"] = call.clientRequestId;
  if (call.fittedOutputTokens !== null) headers["x-gw-fitted-max-tokens"] = String(call.fittedOutputTokens);
  if (call.leftOut.length > 0) headers["x-gw-dropped-params"] = call.leftOut.join(", ");
  return headers;
}

/** Names of the headers with the usage and the charge. */
export const USAGE_HEADERS = ["x-gw-input-tokens", "x-gw-output-tokens", "x-gw-cost-usd"] as const;

/** Returns the headers with the usage and the charge; known once the call is settled. */
export const usageHeaders = (usage: { inputTokens: number; outputTokens: number }, costNanoUsd: bigint) => ({
  "x-gw-input-tokens": String(usage.inputTokens),
  "x-gw-output-tokens": String(usage.outputTokens),
  "x-gw-cost-usd": formatUsd(costNanoUsd),
});

/**
 * Returns all headers of a whole answer, added to one object: a spread would put V8 into dictionary mode, at twenty
 * times the cost.
 */
export function allHeaders(
  answer: Answer,
  contentType: string,
  used: { usage: Usage; chargedNanoUsd: bigint },
): Record<string, string> {
  const headers = gatewayHeaders(answer);
  headers["content-type"] = contentType;
  return Object.assign(headers, usageHeaders(used.usage, used.chargedNanoUsd));
}
