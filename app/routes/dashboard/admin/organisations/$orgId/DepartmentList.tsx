import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { RefusedForm } from "~/access/flash.server";
import type { DepartmentView } from "~/domain/organisations/shared";
import { Button } from "~/ui/Button";
import { Count } from "~/ui/Figures";
import { TextField } from "~/ui/forms/fields";
import { PortalForm } from "~/ui/forms/PortalForm";
import { usePortalForm } from "~/ui/forms/portal-form";
import { Section } from "~/ui/page-parts";
import { BudgetFields, BudgetState } from "../../BudgetForm";
import { DepartmentForm } from "../organisation-form.schema";

/** The departments of an organisation, each with an editable name; an empty one can be deleted. */
export function DepartmentList({
  organisationId,
  departments,
  monthlyNanoUsd,
  refused,
}: {
  organisationId: number;
  departments: readonly DepartmentView[];
  /** The organisation's monthly spending limit; null: no limit. */
  monthlyNanoUsd: bigint | null;
  refused: RefusedForm | null;
}) {
  const { t } = useTranslation("admin");
  const path = `/dashboard/admin/organisations/${organisationId}/departments`;
  const form = usePortalForm({
    id: "new-department",
    action: path,
    schema: DepartmentForm,
    labels: { name: t("organisation.newDepartment") },
    refused,
  });
  return (
    <Section title={t("organisation.departments")} id="departments">
      <div className="grid gap-4">
        <OverAllocated departments={departments} monthlyNanoUsd={monthlyNanoUsd} />
        {departments.length === 0 ? <p className="text-ink-2">{t("organisation.departmentsEmpty")}</p> : null}
        <ul className="divide-y divide-line">
          {departments.map((department) => (
            <li key={department.id} className="grid gap-2 py-3 first:pt-0 last:pb-0">
              <Rename path={path} department={department} refused={refused} />
              <DepartmentBudget path={path} department={department} refused={refused} />
              <div className="flex flex-wrap items-center justify-between gap-2 text-xs text-ink-3">
                <span className="flex flex-wrap gap-x-3">
                  <Link
                    to={`/dashboard/admin/users?org=${organisationId}&department=${department.id}`}
                    className="hover:text-ink"
                  >
                    {t("organisation.people")} <Count value={department.people} />
                  </Link>
                  <span>
                    {t("organisation.keys")} <Count value={department.keys} />
                  </span>
                  <span>
                    {t("organisation.invites")} <Count value={department.invites} />
                  </span>
                </span>
                {department.people + department.keys + department.invites === 0 ? (
                  <form method="post" action={`${path}/${department.id}/delete`}>
                    <Button small kind="quiet" aria-label={`${t("organisation.remove")}: ${department.name}`}>
                      {t("organisation.remove")}
                    </Button>
                  </form>
                ) : null}
              </div>
            </li>
          ))}
        </ul>
        <PortalForm form={form} className="grid gap-3 border-line border-t pt-4">
          <TextField {...form.field("name")} required />
          <div>
            <Button small>{t("organisation.addDepartment")}</Button>
          </div>
        </PortalForm>
      </div>
    </Section>
  );
}

/** The limits may add up to more than the organisation's own, which is then reached first. */
function OverAllocated({
  departments,
  monthlyNanoUsd,
}: {
  departments: readonly DepartmentView[];
  monthlyNanoUsd: bigint | null;
}) {
  const { t } = useTranslation("budgets");
  const total = departments.reduce(
    (sum, { budget }) => sum + (budget?.period === "monthly" ? (budget.limitNanoUsd ?? 0n) : 0n),
    0n,
  );
  if (monthlyNanoUsd === null || total <= monthlyNanoUsd) return null;
  return (
    <p className="rounded-lg bg-held-soft px-3.5 py-2.5 text-held-ink">
      {t("part.over", { total, limit: monthlyNanoUsd })}
    </p>
  );
}

function DepartmentBudget({
  path,
  department: { id, name, budget },
  refused,
}: {
  path: string;
  department: DepartmentView;
  refused: RefusedForm | null;
}) {
  const { t } = useTranslation("budgets");
  const action = `${path}/${id}/budget`;
  return (
    <div className="grid gap-2">
      {budget?.limitNanoUsd == null ? null : <BudgetState budget={budget} small />}
      <details open={refused?.action === action}>
        <summary className="cursor-pointer text-ink-2 text-xs hover:text-ink">
          {t(budget?.limitNanoUsd == null ? "part.set" : "part.change")}
          <span className="sr-only">: {name}</span>
        </summary>
        <div className="pt-2">
          <BudgetFields id={`department-budget-${id}`} action={action} budget={budget} refused={refused} />
        </div>
      </details>
    </div>
  );
}

function Rename({
  path,
  department,
  refused,
}: {
  path: string;
  department: DepartmentView;
  refused: RefusedForm | null;
}) {
  const { t } = useTranslation("admin");
  const form = usePortalForm({
    id: `department-${department.id}`,
    action: `${path}/${department.id}`,
    schema: DepartmentForm,
    labels: { name: `${t("organisation.departmentName")}: ${department.name}` },
    values: { name: department.name },
    refused,
  });
  const { label, problem, ...input } = form.field("name");
  return (
    <PortalForm form={form} className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <input
          {...input}
          aria-label={label}
          aria-invalid={problem ? true : undefined}
          required
          className="field field-small min-w-0 flex-1"
        />
        <Button small>{t("organisation.rename")}</Button>
      </div>
    </PortalForm>
  );
}
