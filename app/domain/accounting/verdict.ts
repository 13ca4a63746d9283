import type { BudgetScope, HoldVerdict } from "./shared";
import type { BusyScope } from "./wait-queue";

/** The answer of `accounting_admit` for one call. */
export type AdmitAnswer = HoldVerdict | { kind: "busy"; scope: BusyScope } | { kind: "noWallet" };

const HELD: HoldVerdict = Object.freeze({ kind: "held" });
const SCOPES: Record<string, BudgetScope> = { k: "key", u: "user", d: "department", p: "project", o: "organisation" };

/** Reads the verdicts of a batch; the empty text says that every call is held. */
export function readVerdicts(text: string, count: number): AdmitAnswer[] {
  if (text === "") return new Array<AdmitAnswer>(count).fill(HELD);
  return text.split(",").map(readVerdict);
}

function readVerdict(text: string): AdmitAnswer {
  const letter = text.charAt(1);
  switch (text.charAt(0)) {
    case "h":
      return HELD;
    case "r":
      return { kind: "refused", code: "rate_limit_exceeded", scope: "rate", retryAfterSeconds: Number(text.slice(1)) };
    case "b":
      return { kind: "busy", scope: letter === "w" ? "wallet" : SCOPES[letter]! };
    case "x":
      return letter === "w"
        ? { kind: "refused", code: "billing_limit_reached", scope: "wallet", retryAfterSeconds: null }
        : {
            kind: "refused",
            code: "budget_exceeded",
            scope: SCOPES[letter]!,
            retryAfterSeconds: Number(text.slice(2)),
          };
    case "e":
      return { kind: "noWallet" };
    default:
      throw new Error(`accounting_admit answered ${text}`);
  }
}

/** The refusal of a call that has waited as long as it may for money held by others. */
export function outOfPatience(scope: BusyScope): HoldVerdict {
  return scope === "wallet"
    ? { kind: "refused", code: "billing_limit_reached", scope, retryAfterSeconds: RETRY_SOON_SECONDS }
    : { kind: "refused", code: "budget_exceeded", scope, retryAfterSeconds: RETRY_SOON_SECONDS };
}

const RETRY_SOON_SECONDS = 2;

/** What is different from "booked at exactly its cost", by position in the batch. */
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
