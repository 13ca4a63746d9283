import type { ErrorDetails } from "./clean-text";
import type { Message, MessageKey } from "./message";

/** The scope of a budget, or the wallet. */
export type ShortageScope = "key" | "user" | "department" | "project" | "organisation" | "wallet";

/**
 * Returns the messages of a rejection for lack of money, from its `details`: the remaining amount and the maximum cost
 * of the request, how to make it fit, and who can raise the limit. Empty for other details.
 */
export function shortageMessages(details: ErrorDetails): Message[] {
  const { scope, max_cost: maxCost } = details;
  if (!isScope(scope) || typeof maxCost !== "number") return [];
  return [remainingAmount(scope, nanoUsdOf(maxCost), details), ...whatFits(details), whoHelps(scope, details)];
}

/** Returns the scope of a rejection for lack of money; null for other details. */
export const shortageScopeOf = ({ scope, max_cost: maxCost }: ErrorDetails): ShortageScope | null =>
  isScope(scope) && typeof maxCost === "number" ? scope : null;

function remainingAmount(scope: ShortageScope, maxCost: string, { available, payer }: ErrorDetails): Message {
  if (typeof available === "number")
    return { key: `shortage:left.${scope}`, values: { available: nanoUsdOf(available), maxCost } };
  if (scope !== "wallet") return { key: `shortage:hidden.${scope}`, values: { maxCost } };
  return { key: "shortage:hidden.wallet", values: { maxCost, payer: String(payer ?? "") } };
}

function* whatFits({ held, max_tokens_that_fits: tokens, output_field: field }: ErrorDetails): Iterable<Message> {
  if (typeof held === "number" && held > 0) yield { key: "shortage:held", values: { held: nanoUsdOf(held) } };
  if (typeof field !== "string" || tokens === undefined) return;
  if (typeof tokens === "number") yield { key: "shortage:fits", values: { field, tokens } };
  else yield { key: "shortage:inputTooLong" };
}

function whoHelps(
  scope: ShortageScope,
  { available, payer, pays_itself: own, action_url: link }: ErrorDetails,
): Message {
  const key: MessageKey =
    scope !== "wallet"
      ? typeof available === "number"
        ? "shortage:raise"
        : "shortage:askToRaise"
      : own === true
        ? "shortage:fund"
        : "shortage:askToFund";
  return { key, values: { payer: String(payer ?? ""), link: String(link ?? "") } };
}

/** Converts US dollars exactly: below ten million dollars a double has nine exact decimals. */
export const nanoUsdOf = (usd: number): string => String(BigInt(Math.round(usd * 1e9)));

const SCOPES: readonly unknown[] = ["key", "user", "department", "project", "organisation", "wallet"];

const isScope = (value: unknown): value is ShortageScope => SCOPES.includes(value);
