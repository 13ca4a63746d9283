import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Sparkline } from "./charts/Sparkline";
import { percentText } from "./format";
import { useDocumentFacts } from "./shell/document-context";

/** A row of figures in one frame. */
export function Stats({ wide = false, children }: { wide?: boolean; children: ReactNode }) {
  return <dl className={wide ? "stats stats-wide panel" : "stats panel"}>{children}</dl>;
}

export type Change = {
  /** Relative change: 0.12 is 12 % more. Null: no value to compare with. */
  share: number | null;
  /** Whether an increase is good, bad or neutral. */
  more: "good" | "bad" | "neutral";
  /** The earlier value. It is shown instead of a percentage from ten times on, which says nothing. */
  before?: string;
};

/** From this relative change on, percentages say nothing. */
const TEN_TIMES = 9;

/** One figure: label, value, change against the previous window, and sparkline. */
export function StatCard({
  label,
  value,
  note,
  change,
  spark,
}: {
  label: ReactNode;
  value: ReactNode;
  note?: ReactNode;
  change?: Change;
  spark?: readonly number[];
}) {
  return (
    <div className="stat">
      <dt className="text-xs text-ink-2">{label}</dt>
      <dd className="stat-value">{value}</dd>
      <dd className="flex min-h-[22px] items-end justify-between gap-3 text-2xs text-ink-3">
        <span>
          {change ? <ChangeText {...change} /> : null} {note}
        </span>
        {spark && spark.length > 1 ? <Sparkline values={spark} /> : null}
      </dd>
    </div>
  );
}

function ChangeText({ share, more, before }: Change) {
  const { t } = useTranslation("ui");
  const { language } = useDocumentFacts();
  if (share === null) return <span>{t("nothingBefore")}</span>;
  if (Math.abs(share) < 0.0005) return <span>{t("unchanged")}</span>;
  const tone = more === "neutral" ? "" : share > 0 === (more === "good") ? "text-accent" : "text-bad";
  return (
    <span className={`tabular-nums ${tone}`} title={t("againstBefore")}>
      {share >= TEN_TIMES ? (
        before === undefined ? (
          "> 10×"
        ) : (
          t("fromBefore", { before })
        )
      ) : (
        <>
          {share > 0 ? "+" : "−"}
          {percentText(Math.abs(share), language)}
        </>
      )}
    </span>
  );
}
