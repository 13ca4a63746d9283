import { useTranslation } from "react-i18next";
import type { PricePlan } from "~/domain/catalogue/shared";
import { decimalUsdText, percentText } from "~/ui/format";
import { Badge } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";

type AmountChange = Omit<PricePlan["changes"][number]["amounts"][number], "column">;

/** Relative change from which a change is highlighted. */
const MUCH = 0.5;

/** A part of a price: old value, new value and relative change. */
export function Amount({ of: { from, to, share }, isAmount = true }: { of: AmountChange; isAmount?: boolean }) {
  const { t } = useTranslation("adminModels");
  const { language } = useDocumentFacts();
  const text = (value: string | null) => {
    if (value === null) return t("priceFile.none");
    if (!isAmount) return value;
    return /^[[{]/.test(value) ? (
      <span className="mono text-xs [overflow-wrap:anywhere]">{value}</span>
    ) : (
      decimalUsdText(value, language)
    );
  };
  return (
    <>
      <span className="tabular-nums">
        <del className="text-ink-3">{text(from)}</del> → <ins className="no-underline">{text(to)}</ins>
      </span>
      {share === null ? null : (
        <Badge kind={Math.abs(share) >= MUCH ? "held" : "plain"}>
          {`${share > 0 ? "+" : ""}${percentText(share, language)}`}
        </Badge>
      )}
    </>
  );
}
