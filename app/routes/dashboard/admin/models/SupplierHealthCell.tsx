import { useTranslation } from "react-i18next";
import { Duration, Percent, RelativeTime } from "~/ui/Figures";
import { Badge } from "~/ui/page-parts";
import type { SupplierHealth } from "./supplier-health";

/** Whether a supplier gets requests: its paused models, with reasons and end times. */
export function SupplierHealthCell({ health }: { health: SupplierHealth | undefined }) {
  const { t } = useTranslation("adminModels");
  if (health === undefined) return <span className="text-ink-3">{t("health.none")}</span>;
  const { watched, paused, successRate, firstByteMs } = health;
  const figures =
    successRate === null ? null : (
      <span className="text-xs text-ink-3 tabular-nums">
        <Percent share={successRate} /> {t("health.answered")}
        {firstByteMs === null ? null : (
          <>
            {" · "}
            <Duration ms={firstByteMs} />
          </>
        )}
      </span>
    );
  if (paused.length === 0)
    return (
      <div className="grid justify-items-end gap-0.5 sm:justify-items-start">
        <Badge kind="good">{t("health.good")}</Badge>
        {figures}
      </div>
    );
  return (
    <details>
      <summary className="cursor-pointer">
        <Badge kind="bad">{t("health.paused", { count: paused.length, all: watched })}</Badge>
      </summary>
      <ul className="mt-1 grid gap-1 text-xs text-ink-2">
        {paused.map(({ model, state, reason, coolDownEndsAt }) => (
          <li key={model} className="[overflow-wrap:anywhere]">
            <span className="font-strong">{model}</span>: {t(`health.state.${state}`)}
            {reason === null ? null : ` (${reason})`}
            {coolDownEndsAt === null ? null : (
              <>
                {", "}
                {t("health.next")} <RelativeTime at={coolDownEndsAt} />
              </>
            )}
          </li>
        ))}
      </ul>
      {figures}
    </details>
  );
}
