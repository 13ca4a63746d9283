import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { Tabs } from "~/ui/Tabs";

/** The two pages about budgets. */
export function BudgetTabs({ current }: { current: "budgets" | "alerts" }) {
  const { t } = useTranslation("budgetTree");
  return (
    <Tabs
      label={t("title")}
      tabs={[
        { to: href("/dashboard/budgets"), label: t("tab.budgets"), current: current === "budgets" },
        { to: href("/dashboard/budgets/alerts"), label: t("tab.alerts"), current: current === "alerts" },
      ]}
    />
  );
}
