import { config } from "~/config.server";
import type { MoneyRefusal } from "~/domain/accounting/shared";
import type { UsageBounds } from "~/domain/pricing/shared";
import { type AppError, apiError, type ErrorDetails } from "~/errors/app-error";
import { say } from "~/errors/say.server";
import { shortageMessages } from "~/errors/shortage-words";
import { formatUsd } from "~/values/money";
import type { CallContext } from "../call-context";
import type { OutputCeiling } from "../dialects/dialect";

/** A call without enough money: the refusal, the call's maximum cost, and the output limit that fits. */
export type ShortCall = {
  refusal: MoneyRefusal;
  amountNanoUsd: bigint;
  bounds: UsageBounds;
  /** Null if the request has no output limit. */
  ceiling: OutputCeiling | null;
  /** Null where not even one token of output fits. */
  tokens: number | null;
};

/**
 * Builds the error for a call without enough money, with its arithmetic in `details`. It omits amounts of budgets and
 * wallets that the owner of the key may not see, and the output limit that fits if it would reveal such an amount.
 */
export function moneyError({ caller }: Pick<CallContext, "caller">, call: ShortCall): AppError {
  const { code, scope, retryAfterSeconds, shortage } = call.refusal;
  const { limitNanoUsd, spentNanoUsd, heldNanoUsd, tightest } = shortage;
  const shown = caller.spending?.shown ?? [];
  const details: Record<string, ErrorDetails[string]> = { scope };
  if (shown.includes(scope)) {
    const available = limitNanoUsd - spentNanoUsd - heldNanoUsd;
    details.limit = usd(limitNanoUsd);
    details.spent = usd(spentNanoUsd);
    details.held = usd(heldNanoUsd);
    details.available = usd(available > 0n ? available : 0n);
  }
  details.max_cost = usd(call.amountNanoUsd);
  details.max_input_tokens = call.bounds.inputTokens;
  details.max_output_tokens = call.bounds.outputTokens;
  if (call.ceiling !== null && shown.includes(tightest)) {
    details.max_tokens_that_fits = call.tokens;
    details.output_field = call.ceiling.field;
  }
  if (scope === "wallet") {
    details.payer = caller.spending?.payer ?? "";
    details.pays_itself = caller.spending?.paysItself ?? false;
    details.action_url = `${config().baseUrl}/dashboard/billing`;
  }
  const userMessage = shortageMessages(details)
    .map((message) => say(message, "en"))
    .join(" ");
  return apiError(code, { userMessage, details, retryAfterSeconds: retryAfterSeconds ?? undefined });
}

const usd = (nanoUsd: bigint): number => Number(formatUsd(nanoUsd));
