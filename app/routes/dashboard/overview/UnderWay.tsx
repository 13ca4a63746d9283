import { useTranslation } from "react-i18next";
import { Money } from "~/ui/Figures";
import type { OverviewView } from "./view.server";

/** What is going on at this moment: requests in flight for which money is held, and how much. Exempt keys without limits hold none. */
export function UnderWay({ view: { underWay } }: { view: OverviewView }) {
  const { t } = useTranslation("dashboard");
  return (
    <p className="under-way">
      <span data-live-mark hidden className="live-mark" title={t("underWay.live")}>
        {t("underWay.liveShort")}
      </span>
      {underWay.count > 0 ? (
        <span className="tabular-nums">{t("underWay.inFlight", { count: underWay.count })}</span>
      ) : null}
      {underWay.heldNanoUsd > 0n ? (
        <span className="inline-flex items-center gap-1.5" title={t("underWay.heldWhy")}>
          <i aria-hidden="true" className="hatch inline-block size-dot rounded-xs" />
          <Money nano={underWay.heldNanoUsd} /> {t("underWay.held")}
        </span>
      ) : null}
    </p>
  );
}
