import { useTranslation } from "react-i18next";
import type { Resources } from "~/i18n/resources";

/** The reason why this payer pays. */
export function PayerReason({ reason, exempt }: { reason: keyof Resources["payer"]["reason"]; exempt: boolean }) {
  const { t } = useTranslation("payer");
  return <span className="block text-ink-3 text-xs">{t(`reason.${exempt ? "exempt" : reason}`)}</span>;
}
