import { useTranslation } from "react-i18next";
import { Percent } from "~/ui/Figures";
import type { ErrorHour } from "./error-hour";

const BAR = 5;
const GAP = 2;
const HEIGHT = 16;
/** Failure rate that fills a bar if no rate is higher. */
const FULL = 0.05;

/** Failure rate of a supplier in the last hour, in bars of five minutes. The text beside it has the total. */
export function ErrorBars({ hour }: { hour: ErrorHour | undefined }) {
  const { t } = useTranslation("adminModels");
  if (hour === undefined) return null;
  const { attempts, failed, shares } = hour;
  const width = shares.length * (BAR + GAP) - GAP;
  const full = Math.max(FULL, ...shares.map((share) => share ?? 0));
  return (
    <span className="flex flex-wrap items-end gap-x-2" title={t("errors.title", { failed, count: attempts })}>
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true" className="shrink-0">
        {shares.map((share, slot) => {
          const height = share === null || share === 0 ? 2 : 3 + (share / full) * (HEIGHT - 3);
          const colour = share === null ? "var(--line-strong)" : share === 0 ? "var(--s1)" : "var(--bad)";
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the slot
            <rect key={slot} x={slot * (BAR + GAP)} y={HEIGHT - height} width={BAR} height={height} fill={colour} />
          );
        })}
      </svg>
      <span className="text-xs text-ink-2 tabular-nums">
        <Percent share={failed / attempts} /> {t("errors.hour")}
      </span>
    </span>
  );
}
