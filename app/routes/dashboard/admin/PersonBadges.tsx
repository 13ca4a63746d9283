import { useTranslation } from "react-i18next";
import type { Role, UserStatus } from "~/domain/identity/shared";
import { Badge, type BadgeKind } from "~/ui/page-parts";

const KINDS: Readonly<Record<UserStatus, BadgeKind>> = {
  active: "good",
  suspended: "held",
  archived: "plain",
  deleted: "bad",
};

/** Whether an account can be used. */
export function StatusBadge({ status }: { status: UserStatus }) {
  const { t } = useTranslation("admin");
  return <Badge kind={KINDS[status]}>{t(`statuses.${status}`)}</Badge>;
}

/** A role by its name; those that reach beyond themselves stand out. */
export function RoleBadge({ role }: { role: Role }) {
  const { t } = useTranslation("admin");
  return <Badge kind={role === "member" || role === "viewer" ? "plain" : "info"}>{t(`roles.${role}`)}</Badge>;
}
