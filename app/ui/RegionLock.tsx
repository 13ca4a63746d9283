import { Lock } from "lucide-react";
import { useTranslation } from "react-i18next";

/**
 * A lock icon beside a region lock: requests stay within these regions. The regions are its accessible name and its
 * tooltip.
 */
export function RegionLock({ to: regions }: { to: string }) {
  const { t } = useTranslation("ui");
  const label = t("lockedTo", { regions });
  return (
    <span role="img" aria-label={label} title={label} className="inline-block align-[-2px] text-ink-3">
      <Lock size={13} aria-hidden="true" />
    </span>
  );
}
