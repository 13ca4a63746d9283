import * as accounting from "~/domain/accounting/index.server";
import type { Parties } from "~/domain/accounting/shared";
import type { Caller } from "~/domain/keys/shared";
import { priceMaximum, type UsageBounds } from "~/domain/metering/index.server";
import { apiError } from "~/errors/app-error";
import type { CallContext } from "../call-context";
import type { InferenceRequest } from "../canonical/inference-request";
import type { RoutePlan } from "../route/route-plan";
import type { Admission } from "./admission";

export type { Admission, AdmittedCall } from "./admission";

/**
 * Holds the most that the call can cost at its dearest candidate, in every scope at once, and counts it against the
 * key's rate. Nothing is dispatched before this has returned.
 * @throws AppError rate_limit_exceeded, budget_exceeded, billing_limit_reached; billing_unavailable while the database is
 *   away; supplier_price_unresolved for a tool that is billed by use and has no price.
 */
export async function admit({ call, caller, inference, claim }: CallContext, plan: RoutePlan): Promise<Admission> {
  const parties = partiesOf(caller);
  const bounds = boundsOf(inference, plan);
  if (bounds.toolUses !== undefined && plan.routes.some(({ price }) => price.perToolUse == null)) throw unpricedTool();
  // Behind an Idempotency-Key the hold also tells, after a crash, whether the call was executed.
  if (caller.exempt && !caller.limited && claim === null) return { parties, held: false, bounds, priceVersion: 0 };
  let amountNanoUsd = 0n;
  let priceVersion = 0;
  for (const { price } of plan.routes) {
    const most = priceMaximum(price, bounds);
    if (most < amountNanoUsd) continue;
    amountNanoUsd = most;
    priceVersion = price.version;
  }
  const verdict = await accounting.admit(
    { callId: call.id, amountNanoUsd, rateLimitRpm: caller.rateLimitRpm, priceVersion, ...parties },
    call,
  );
  if (verdict.kind === "held") return { parties, held: true, bounds, priceVersion };
  const { code, scope, retryAfterSeconds } = verdict;
  throw apiError(code, { userMessage: REFUSED[scope], retryAfterSeconds: retryAfterSeconds ?? undefined });
}

const unpricedTool = () =>
  apiError("supplier_price_unresolved", {
    userMessage:
      "The request offers a tool that the supplier bills by use, and this installation has no price for its uses.",
    param: "tools",
  });

/** Not always used up: what is left may just be less than the most that this one request can cost. */
const notEnough = (budget: string) => `What is left of ${budget} does not cover the most that this request can cost.`;

/** Which limit was met, in words; the scope is also what a person has to raise. */
const REFUSED: Record<string, string | undefined> = {
  key: notEnough("this API key's budget"),
  user: notEnough("the budget of this key's user"),
  department: notEnough("the budget of this key's department"),
  project: notEnough("the budget of this key's project"),
  organisation: notEnough("the budget of this key's organisation"),
};

function partiesOf(caller: Caller): Parties {
  const { keyId, userId, departmentId, projectId, organisationId, walletId, exempt } = caller;
  return { keyId, userId, departmentId, projectId, organisationId, walletId, exempt };
}

/** A text has at most as many tokens as bytes; with media or searches, or beyond that, the model's own window is the bound. */
function boundsOf({ size }: InferenceRequest, { model }: RoutePlan): UsageBounds {
  const isOpen = size.hasMedia || size.readsMore === true;
  const inputTokens =
    size.maxInputTokens ?? (isOpen ? model.contextTokens : Math.min(size.bodyBytes, model.contextTokens));
  return {
    inputTokens,
    outputTokens: (size.maxOutputTokens ?? model.maxOutputTokens) * size.choices,
    milliseconds: size.maxMilliseconds,
    characters: size.characters,
    requests: size.maxRequests,
    toolUses: size.maxToolUses,
    longCacheWrites: size.longCacheWrites,
  };
}
