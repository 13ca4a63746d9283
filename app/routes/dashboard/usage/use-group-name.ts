import { useTranslation } from "react-i18next";
import type { UsageGroup, UsageTotal } from "~/domain/metering/shared";

const HAVE_IDS = ["key", "user", "department", "project", "organisation"] as const;
const hasId = (group: UsageGroup): group is (typeof HAVE_IDS)[number] =>
  (HAVE_IDS as readonly string[]).includes(group);

/** How a group of usage is called: its name, its number where the name is gone, or that there is none. */
export function useGroupName(group: UsageGroup): (id: UsageTotal["group"], name: string | null) => string {
  const { t } = useTranslation("usage");
  return (id, name) => {
    if (name !== null) return name;
    if (!hasId(group)) return String(id ?? "");
    return id === null || group === "key" || group === "organisation" ? t(`none.${group}`) : `#${id}`;
  };
}
