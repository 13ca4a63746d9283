import { useTranslation } from "react-i18next";
import type { PortalKey } from "~/domain/keys/shared";
import { useDocumentFacts } from "~/ui/document-context";
import { relativeText } from "~/ui/format";
import { Badge, type BadgeKind } from "~/ui/page-parts";

const KINDS: Readonly<Record<"active" | NonNullable<PortalKey["stoppedBy"]>, BadgeKind>> = {
  active: "good",
  suspended: "held",
  owner: "held",
  expired: "plain",
  revoked: "bad",
};

type Of = Pick<PortalKey, "stoppedBy" | "revokedAt" | "expiresAt" | "owner">;

/** Whether a key can be used; what stopped it is on hover. */
export function KeyStatusBadge({ of: key }: { of: Of }) {
  const { t } = useTranslation("keys");
  const { language } = useDocumentFacts();
  if (key.stoppedBy === null) return <Badge kind="good">{t("status.active")}</Badge>;
  const at = key.stoppedBy === "revoked" ? key.revokedAt : key.expiresAt;
  const when = at === null ? "" : relativeText(new Date(at), new Date(), language);
  return (
    <Badge kind={KINDS[key.stoppedBy]} title={t(`reason.${key.stoppedBy}`, { when, name: key.owner?.name ?? "" })}>
      {t(`status.${key.stoppedBy}`)}
    </Badge>
  );
}
