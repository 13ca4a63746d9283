import { useTranslation } from "react-i18next";
import type { Role, UserStatus } from "~/domain/accounts/shared";
import { Badge, type BadgeKind } from "~/ui/page-parts";

const KINDS: Readonly<Record<UserStatus, BadgeKind>> = {
  active: "good",
  suspended: "held",
  archived: "plain",
  deleted: "bad",
};

/** Status of an account. */
export function StatusBadge({ status }: { status: UserStatus }) {
  const { t } = useTranslation("admin");
  return <Badge kind={KINDS[status]}>{t(`statuses.${status}`)}</Badge>;
}

/** Name of a role; roles with rights over other people are highlighted. */
export function RoleBadge({ role }: { role: Role }) {
  const { t } = useTranslation("admin");
  return <Badge kind={role === "member" || role === "viewer" ? "plain" : "info"}>{t(`roles.${role}`)}</Badge>;
}
