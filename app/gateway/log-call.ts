import { callLog } from "~/log.server";
import { formatUsd } from "~/money";
import type { Call } from "./call-record";
import { compareCost } from "./compare-cost";
import type { PricedLane } from "./route";
import type { Settled } from "./settle";

/** One wide line a request: ids, figures and codes; never bodies, never secrets. */
export function logCall(
  call: Call,
  end: { status: number; lane: PricedLane | null; settled: Settled | null; errorCode?: string | null },
): void {
  const { ask, caller } = call;
  if (end.lane !== null && end.settled !== null) compareCost(end.lane, end.settled.usage);
  callLog.info(
    {
      call: call.id,
      key: caller?.publicId,
      organisation: caller?.organisationId,
      endpoint: ask?.endpoint,
      model: ask?.requestedModel,
      stream: ask?.stream,
      supplier: end.lane?.supplier.name,
      region: end.lane?.supplier.region,
      attempts: call.attempts.length,
      status: end.status,
      code: end.errorCode ?? undefined,
      inputTokens: end.settled?.usage.inputTokens,
      outputTokens: end.settled?.usage.outputTokens,
      costUsd: end.settled === null ? undefined : formatUsd(end.settled.receipt.chargedNanoUsd),
      firstByteMs: call.firstByteMs,
      ms: call.elapsedMs(),
    },
    "call",
  );
}
