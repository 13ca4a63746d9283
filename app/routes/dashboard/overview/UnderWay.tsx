import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import { Money } from "~/ui/Figures";
import type { OverviewView } from "./view.server";

const IN_FLIGHT = `${href("/dashboard/request-log")}?outcome=in_flight`;

/** Requests in flight with a hold, and the held amount. Exempt keys without limits have no holds. */
export function UnderWay({ view: { underWay } }: { view: OverviewView }) {
  const { t } = useTranslation("dashboard");
  return (
    <p className="under-way">
      <span data-live-mark hidden className="live-mark" title={t("underWay.live")}>
        {t("underWay.liveShort")}
      </span>
      {underWay.count > 0 ? (
        <Link to={IN_FLIGHT} className="tabular-nums hover:text-accent">
          {t("underWay.inFlight", { count: underWay.count })}
        </Link>
      ) : null}
      {underWay.heldNanoUsd > 0n ? (
        <Link
          to={IN_FLIGHT}
          className="inline-flex items-center gap-1.5 hover:text-accent"
          title={t("underWay.heldWhy")}
        >
          <i aria-hidden="true" className="hatch inline-block size-dot rounded-xs" />
          <Money nano={underWay.heldNanoUsd} /> {t("underWay.held")}
        </Link>
      ) : null}
    </p>
  );
}
