import { config } from "~/config.server";
import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { callerOfOwnKey } from "~/domain/keys/index.server";
import { type PlaygroundReservation, reservePlayground, settlePlayground } from "~/domain/payers/index.server";
import { priceUsage } from "~/domain/pricing/index.server";
import { chatDialect } from "~/gateway/dialects/chat";
import type { InternalCall } from "~/gateway/in-process";
import { serve } from "~/gateway/serve.server";
import { log } from "~/observe/log.server";
import { formatUsd } from "~/values/money";
import { chatBodyOf, type PlaygroundCall } from "./chat-body";
import type { Receipt } from "./receipt";

type End = Parameters<InternalCall["ended"]>[0];

/**
 * Calls a model for the owner of a key, with the same steps as any call: the key's limits, a hold, a charge and a row
 * in the request log, but without a secret. The person's playground budget limits the cost. The response is that of
 * `POST /v1/chat/completions`; `receipt` resolves when the call is settled, before a stream ends.
 * @throws AppError for the key, before any supplier is called; all other errors are in the response
 */
export async function callModel(
  actor: Actor,
  playgroundRequest: { keyId: number; call: PlaygroundCall; stream: boolean; signal: AbortSignal },
): Promise<{ response: Response; receipt: Promise<Receipt> }> {
  const caller = await callerOfOwnKey(db(), actor, playgroundRequest.keyId);
  let resolve: (receipt: Receipt) => void;
  const receipt = new Promise<Receipt>((settle) => {
    resolve = settle;
  });
  let reserved: PlaygroundReservation | null = null;
  const { playgroundDailyNanoUsd: dailyNanoUsd } = config();
  const inProcess: InternalCall = {
    caller,
    reserve: async (amountNanoUsd) => {
      reserved = await reservePlayground(db(), { userId: actor.userId, amountNanoUsd, dailyNanoUsd });
    },
    ended: (end) => {
      void giveBack(reserved, end).then(() => resolve(receiptOf(end)));
    },
  };
  const body = { ...chatBodyOf(playgroundRequest.call), ...(playgroundRequest.stream ? STREAM : {}) };
  const request = new Request(new URL("/v1/chat/completions", config().baseUrl), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: playgroundRequest.signal,
  });
  return { response: await serve(request, chatDialect, inProcess), receipt };
}

const STREAM = { stream: true, stream_options: { include_usage: true } };

/** The possible cost of a call without a receipt stays reserved until the end of the day. */
async function giveBack(reserved: PlaygroundReservation | null, { settled, route, attempts }: End): Promise<void> {
  if (reserved === null || (settled === null && attempts.records.length > 0)) return;
  const charged = settled?.receipt.chargedNanoUsd ?? 0n;
  // Exempt payers are not charged, but their cost counts towards the same budget.
  const cost = settled !== null && route !== null ? priceUsage(route.price, settled.usage) : 0n;
  try {
    await settlePlayground(db(), reserved, charged > cost ? charged : cost);
  } catch (error) {
    log.warn({ err: error }, "what a call did not take of its playground budget could not be given back");
  }
}

const receiptOf = ({ callId, ms, status, errorCode, route, settled, attempts }: End): Receipt => ({
  request_id: callId,
  status,
  error_code: errorCode ?? null,
  cost_usd: settled === null ? null : formatUsd(settled.receipt.chargedNanoUsd),
  input_tokens: settled?.usage.inputTokens ?? null,
  output_tokens: settled?.usage.outputTokens ?? null,
  first_byte_ms: attempts.firstByteMs,
  total_ms: ms,
  supplier: route?.supplier.name ?? null,
  region: route?.supplier.region ?? null,
});
