import { useTranslation } from "react-i18next";
import type { Batch } from "~/domain/batches/shared";

type Counts = Pick<Batch, "total" | "completed" | "failed">;

/** Number of finished lines of a batch, as a bar and as text. The total is unknown while the file is checked. */
export function Progress({ of: { total, completed, failed } }: { of: Counts }) {
  const { t } = useTranslation("batches");
  if (total === 0) return <span className="text-ink-3">–</span>;
  const label = t("progress", { done: completed + failed, count: total });
  const text = failed === 0 ? label : `${label} · ${t("failedLines", { count: failed })}`;
  return (
    <span className="grid w-48 max-w-full gap-1 leading-snug">
      <Bar {...{ total, completed, failed }} label={text} />
      <span className="text-xs text-ink-2 tabular-nums">{text}</span>
    </span>
  );
}

function Bar({ total, completed, failed, label }: Counts & { label: string }) {
  const share = (lines: number) => (100 * lines) / total;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      className="block h-1.5 w-full overflow-hidden rounded-full"
    >
      <rect width="100" height="4" fill="var(--sunken)" />
      <rect width={share(completed)} height="4" fill="var(--accent)" />
      <rect x={share(completed)} width={share(failed)} height="4" fill="var(--bad)" />
    </svg>
  );
}
