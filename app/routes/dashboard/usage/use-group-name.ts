import { useTranslation } from "react-i18next";
import type { UsageGroup, UsageTotal } from "~/domain/usage/shared";

const HAVE_IDS = ["key", "user", "department", "project", "organisation"] as const;
const hasId = (group: UsageGroup): group is (typeof HAVE_IDS)[number] =>
  (HAVE_IDS as readonly string[]).includes(group);

/** Returns a function for a group's label: its name, its id if the name is gone, or a text for no group. */
export function useGroupName(group: UsageGroup): (id: UsageTotal["group"], name: string | null) => string {
  const { t } = useTranslation("usage");
  return (id, name) => {
    if (name !== null) return name;
    if (!hasId(group)) return String(id ?? "");
    return id === null || group === "key" || group === "organisation" ? t(`none.${group}`) : `#${id}`;
  };
}
