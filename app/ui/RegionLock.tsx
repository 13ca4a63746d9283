import { Lock } from "lucide-react";
import { useTranslation } from "react-i18next";

/** A lock beside a region: nothing goes elsewhere. Which regions are meant is its name, and on hover. */
export function RegionLock({ to: regions }: { to: string }) {
  const { t } = useTranslation("ui");
  const label = t("lockedTo", { regions });
  return (
    <span role="img" aria-label={label} title={label} className="inline-block align-[-2px] text-ink-3">
      <Lock size={13} aria-hidden="true" />
    </span>
  );
}
