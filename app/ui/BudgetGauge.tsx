import { useTranslation } from "react-i18next";
import { Money } from "./Figures";
import { moneyText } from "./format";
import { Gauge } from "./Gauge";
import { useDocumentFacts } from "./shell/document-context";

/**
 * A budget as a bar: spent money solid, held money hatched. Without a limit it shows only the spent amount. `small`:
 * one line, for tables.
 */
export function BudgetGauge({
  spentNano,
  heldNano,
  limitNano,
  small,
}: {
  spentNano: bigint;
  heldNano: bigint;
  limitNano: bigint | null;
  small?: boolean;
}) {
  const { t } = useTranslation("ui");
  const { language } = useDocumentFacts();
  const text = (nano: bigint) => moneyText(nano, language);
  const share = (nano: bigint) => (limitNano === null || limitNano === 0n ? 0 : Number(nano) / Number(limitNano));
  const label =
    limitNano === null
      ? t("spentWithoutLimit", { spent: text(spentNano) })
      : t("spentOf", { spent: text(spentNano), held: text(heldNano), limit: text(limitNano) });
  if (small) {
    return (
      <div className="grid min-w-28 gap-1">
        <span className="flex flex-wrap gap-x-1 whitespace-nowrap tabular-nums">
          <Money nano={spentNano} />
          {limitNano === null ? null : <span className="text-ink-3">/ {text(limitNano)}</span>}
        </span>
        {limitNano === null ? null : <Gauge spent={share(spentNano)} held={share(heldNano)} label={label} />}
      </div>
    );
  }
  return (
    <div className="grid gap-2.5">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-1">
        <p className="figure">
          <Money nano={spentNano} />{" "}
          <span className="font-book text-base text-ink-3 tracking-normal">
            {limitNano === null ? t("noLimit") : t("of", { limit: text(limitNano) })}
          </span>
        </p>
        <p className="flex gap-4 text-xs text-ink-2">
          <Key className="bg-accent">{t("spent")}</Key>
          <Key className="hatch">
            {t("held")} {text(heldNano)}
          </Key>
        </p>
      </div>
      {limitNano === null ? null : <Gauge spent={share(spentNano)} held={share(heldNano)} label={label} />}
    </div>
  );
}

function Key({ className, children }: { className: string; children: React.ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap tabular-nums">
      <i aria-hidden="true" className={`inline-block size-dot rounded-xs ${className}`} />
      {children}
    </span>
  );
}
