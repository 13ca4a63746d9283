import type { TFunction } from "i18next";
import { LEDGER_KINDS, type LedgerLine } from "~/domain/accounting/shared";
import { isOneOf } from "~/values/one-of";

type Text = TFunction<"billing">;

const isKind = isOneOf(LEDGER_KINDS);

/** Returns the kind of an entry in the reader's language. */
export const entryKindText = (t: Text, kind: string): string => (isKind(kind) ? t(`kind.${kind}`) : kind);

/**
 * Returns the purpose of an entry in the reader's language. Text that a person wrote, such as a reason, stays
 * unchanged.
 */
export function entryNoteText(
  t: Text,
  { kind, amountNanoUsd, memo, requestId }: Pick<LedgerLine, "kind" | "amountNanoUsd" | "memo" | "requestId">,
): string {
  const isIn = amountNanoUsd > 0n;
  switch (kind) {
    case "topup":
      return t("note.topup");
    case "usage":
      return t(requestId === null ? "note.requests" : "note.request");
    case "refund":
      return t("note.refund");
    case "dispute":
      return t(isIn ? "note.disputeWon" : "note.dispute");
    case "transfer":
      return t(isIn ? "note.transferIn" : "note.transferOut");
    case "write_off":
      return t("note.writeOff");
    default:
      return memo ?? "";
  }
}
