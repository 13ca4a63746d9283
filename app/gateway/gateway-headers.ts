import { formatUsd } from "~/money";
import type { Call } from "./call-record";
import type { PricedLane } from "./route";
import type { Settled } from "./settle";

/** The headers that tell who answered; they are known before the first byte. */
export function gatewayHeaders(call: Call, lane: PricedLane): Record<string, string> {
  return {
    "x-request-id": call.id,
    // The name under which SDKs of the messages dialect look for it.
    "request-id": call.id,
    "x-gw-supplier": lane.supplier.name,
    "x-gw-region": lane.supplier.region,
    "x-gw-failover": failedOver(call),
    "x-gw-latency-ms": latencyOf(call),
  };
}

/** The headers that tell how much was used and charged; known once the call is settled. */
export const usageHeaders = (usage: { inputTokens: number; outputTokens: number }, costNanoUsd: bigint) => ({
  "x-gw-input-tokens": String(usage.inputTokens),
  "x-gw-output-tokens": String(usage.outputTokens),
  "x-gw-cost-usd": formatUsd(costNanoUsd),
});

/** All headers of a whole answer, as one literal: spread together they would cost more than the answer's own reading. */
export function wholeHeaders(
  call: Call,
  lane: PricedLane,
  contentType: string,
  { usage, receipt }: Settled,
): Record<string, string> {
  return {
    "content-type": contentType,
    "x-request-id": call.id,
    "request-id": call.id,
    "x-gw-supplier": lane.supplier.name,
    "x-gw-region": lane.supplier.region,
    "x-gw-failover": failedOver(call),
    "x-gw-latency-ms": latencyOf(call),
    "x-gw-input-tokens": String(usage.inputTokens),
    "x-gw-output-tokens": String(usage.outputTokens),
    "x-gw-cost-usd": formatUsd(receipt.chargedNanoUsd),
  };
}

const failedOver = ({ attempts }: Call) => (attempts.length > 1 ? "true" : "false");
const latencyOf = (call: Call) => String(call.firstByteMs ?? call.elapsedMs());
