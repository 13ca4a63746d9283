import type { BudgetScope, HoldVerdict, MoneyRefusal, Shortage } from "../shared";
import type { BusyScope } from "./wait-queue";

/** The answer of `accounting_admit` for one call. */
export type AdmitAnswer = HoldVerdict | { kind: "busy"; scope: BusyScope; shortage: Shortage } | { kind: "noWallet" };

const HELD: HoldVerdict = Object.freeze({ kind: "held" });
const SCOPES: Record<string, BudgetScope | "wallet"> = {
  k: "key",
  u: "user",
  d: "department",
  p: "project",
  o: "organisation",
  w: "wallet",
};

/** Parses the verdicts of a batch; the empty text means that every call is held. */
export function readVerdicts(text: string, count: number): AdmitAnswer[] {
  if (text === "") return new Array<AdmitAnswer>(count).fill(HELD);
  return text.split(",").map(readVerdict);
}

function readVerdict(text: string): AdmitAnswer {
  switch (text.charAt(0)) {
    case "h":
      return HELD;
    case "r":
      return { kind: "refused", code: "rate_limit_exceeded", scope: "rate", retryAfterSeconds: Number(text.slice(1)) };
    case "b":
      return { kind: "busy", scope: SCOPES[text.charAt(1)]!, shortage: readShortage(text) };
    case "x": {
      const seconds = text.charAt(1) === "w" ? null : Number(text.slice(2, text.indexOf(":")));
      return refused(SCOPES[text.charAt(1)]!, seconds, readShortage(text));
    }
    case "e":
      return { kind: "noWallet" };
    default:
      throw new Error(`accounting_admit answered ${text}`);
  }
}

function readShortage(text: string): Shortage {
  const [, limit, spent, held, tightest] = text.split(":");
  return {
    limitNanoUsd: BigInt(limit!),
    spentNanoUsd: BigInt(spent!),
    heldNanoUsd: BigInt(held!),
    freeNanoUsd: BigInt(tightest!.slice(1)),
    tightest: SCOPES[tightest!.charAt(0)]!,
  };
}

const refused = (
  scope: BudgetScope | "wallet",
  retryAfterSeconds: number | null,
  shortage: Shortage,
): MoneyRefusal => ({
  kind: "refused",
  code: scope === "wallet" ? "billing_limit_reached" : "budget_exceeded",
  scope,
  retryAfterSeconds,
  shortage,
});

/** The refusal of a call whose wait for money held by other calls is over. */
export const outOfPatience = (scope: BusyScope, shortage: Shortage): MoneyRefusal =>
  refused(scope, RETRY_SOON_SECONDS, shortage);

const RETRY_SOON_SECONDS = 2;

/** A result other than "booked at exactly its cost". */
export type SettleException =
  | { kind: "repeated" | "charged"; chargedNanoUsd: bigint }
  | { kind: "refused"; problem: string };

export function readSettleExceptions(text: string): Map<number, SettleException> {
  const exceptions = new Map<number, SettleException>();
  if (text === "") return exceptions;
  for (const part of text.split(",")) {
    const match = /^(\d+)([RCE])(.*)$/.exec(part);
    if (match === null) throw new Error(`accounting_settle answered ${text}`);
    const rest = match[3]!;
    exceptions.set(
      Number(match[1]) - 1,
      match[2] === "E"
        ? { kind: "refused", problem: rest }
        : { kind: match[2] === "R" ? "repeated" : "charged", chargedNanoUsd: BigInt(rest) },
    );
  }
  return exceptions;
}
