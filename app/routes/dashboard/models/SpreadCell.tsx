import { useTranslation } from "react-i18next";
import { Duration } from "~/ui/Figures";
import type { Spread } from "./traffic.server";

/** Duration of calls: the median, and below it the 95th percentile. */
export function SpreadCell({ spread }: { spread: Spread | null | undefined }) {
  const { t } = useTranslation("modelPages");
  if (!spread) return <span className="text-ink-3">–</span>;
  return (
    <span className="grid justify-items-end leading-snug">
      <Duration ms={spread.p50} />
      <span className="text-xs text-ink-3">
        {t("p95")} <Duration ms={spread.p95} />
      </span>
    </span>
  );
}
