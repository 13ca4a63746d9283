import { useTranslation } from "react-i18next";
import type { PortalKey } from "~/domain/keys/shared";
import type { OutOfMoney } from "~/domain/request-log/shared";
import { dateFormat, moneyText, relativeText } from "~/ui/format";
import { Badge, type BadgeKind } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";

const KINDS: Readonly<Record<"active" | NonNullable<PortalKey["stoppedBy"]>, BadgeKind>> = {
  active: "good",
  suspended: "held",
  owner: "held",
  expired: "plain",
  revoked: "bad",
};

/** Format of the time since which a key has been out of money: a date, because it can be weeks ago. */
export const SINCE = {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
  timeZoneName: "short",
} as const;

type Of = Pick<PortalKey, "stoppedBy" | "revokedAt" | "expiresAt" | "owner">;

/**
 * Whether a key can be used; the tooltip has the reason if not. An active key may be out of money, which is shown below
 * the status in a narrow column (`stacked`).
 */
export function KeyStatusBadge({
  of: key,
  outOfMoney,
  stacked = false,
}: {
  of: Of;
  outOfMoney: OutOfMoney | null;
  stacked?: boolean;
}) {
  const { t } = useTranslation("keys");
  const { language } = useDocumentFacts();
  if (key.stoppedBy === null) {
    if (outOfMoney === null) return <Badge kind="good">{t("status.active")}</Badge>;
    const since = dateFormat(language, SINCE).format(new Date(outOfMoney.since));
    const { code, tooSmall } = outOfMoney;
    const message =
      tooSmall === null
        ? t(`outOfMoney.${code}`, { since })
        : t("outOfMoney.too_small", { amount: moneyText(tooSmall.maxCostNanoUsd, language) });
    return (
      <>
        <Badge kind="held" title={t("outOfMoney.why", { since })}>
          {t("status.active")}
          {stacked ? null : ` · ${message}`}
        </Badge>
        {stacked ? <span className="block text-2xs text-ink-3">{message}</span> : null}
      </>
    );
  }
  const at = key.stoppedBy === "revoked" ? key.revokedAt : key.expiresAt;
  const when = at === null ? "" : relativeText(new Date(at), new Date(), language);
  return (
    <Badge kind={KINDS[key.stoppedBy]} title={t(`reason.${key.stoppedBy}`, { when, name: key.owner?.name ?? "" })}>
      {t(`status.${key.stoppedBy}`)}
    </Badge>
  );
}
