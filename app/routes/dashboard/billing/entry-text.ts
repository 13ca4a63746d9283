import type { TFunction } from "i18next";
import { LEDGER_KINDS, type LedgerLine } from "~/domain/accounting/shared";
import { isOneOf } from "~/one-of";

type Text = TFunction<"billing">;

const isKind = isOneOf(LEDGER_KINDS);

/** What kind of entry it is, in the reader's language. */
export const entryKindText = (t: Text, kind: string): string => (isKind(kind) ? t(`kind.${kind}`) : kind);

/** What an entry is about, in the reader's language. What a person has written, such as a reason, stays as it was written. */
export function entryNoteText(
  t: Text,
  { kind, amountNanoUsd, memo, requestNumber }: Pick<LedgerLine, "kind" | "amountNanoUsd" | "memo" | "requestNumber">,
): string {
  const isIn = amountNanoUsd > 0n;
  switch (kind) {
    case "topup":
      return t("note.topup");
    case "usage":
      return t(requestNumber === null ? "note.requests" : "note.request");
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
