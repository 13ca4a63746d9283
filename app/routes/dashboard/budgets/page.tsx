import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import { refusedFormOf, type UndoForm, undoOf } from "~/access/flash.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import type { BudgetLimit } from "~/domain/accounting/shared";
import { Button } from "~/ui/Button";
import { FormProblem } from "~/ui/forms/form-parts";
import { useFilters } from "~/ui/lists/filters";
import { useFileAddress } from "~/ui/lists/list-address";
import { CsvLink, FilterBar } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { parseUsd } from "~/values/money";
import type { Route } from "./+types/page";
import { saveAlerts } from "./alerts/save-alerts.server";
import { BudgetTable } from "./BudgetTable";
import { BudgetTabs } from "./BudgetTabs";
import { BUDGET_FILTERS } from "./filters";
import { useLimitText } from "./LimitField";
import { readBudgetPage } from "./list.server";
import { BudgetQuery } from "./query.server";
import { RiskPanel } from "./RiskPanel";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer", query: BudgetQuery }, async ({ actor, query, context }) => ({
  undo: undoOf(context),
  refused: refusedFormOf(context, "/dashboard/budgets/limit"),
  ...(await readBudgetPage(db(), actor, query)),
}));

/** Programs may still send the settings of their alerts here. */
export const action = saveAlerts;

export default function Budgets({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("budgetTree");
  const filters = useFilters(BUDGET_FILTERS, view);
  const file = useFileAddress("/dashboard/budgets/export");
  const { undo, refused } = view;
  return (
    <>
      <PageHeader title={t("title")} sub={t("subtitle")} />
      <BudgetTabs current="budgets" />
      {undo === null ? null : <Undo of={undo} />}
      <FormProblem text={refused?.message} />
      {view.isAnyLimited ? (
        <RiskPanel view={view} />
      ) : (
        <Section>
          <EmptyState title={t("none.title")}>{t("none.text")}</EmptyState>
        </Section>
      )}
      <FilterBar filters={filters} clear="/dashboard/budgets" aside={<CsvLink to={file} />} />
      <Section
        flush
        title={t("list")}
        aside={view.isPart ? <Link to={href("/dashboard/budgets")}>{t("top")}</Link> : null}
      >
        <BudgetTable view={view} refused={refused} />
      </Section>
    </>
  );
}

/** Offers to restore the limit before the last change. */
function Undo({ of: { action: to, name, fields } }: { of: UndoForm }) {
  const { t } = useTranslation("budgetTree");
  const limitText = useLimitText();
  const limitOf = (amount: string | undefined, period: string | undefined) =>
    limitText({ limitNanoUsd: parseUsd(amount ?? ""), period: period as BudgetLimit["period"] });
  const before = limitOf(fields.budget_limit, fields.budget_period);
  const after = limitOf(fields.was_limit, fields.was_period);
  return (
    <form
      method="post"
      action={to}
      className="mb-4 flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line bg-sunken px-3.5 py-2.5"
    >
      <p role="status">{t("changed", { name, before, after })}</p>
      {Object.entries(fields).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      <Button small>{t("undo")}</Button>
    </form>
  );
}
