import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { setDepartmentBudget } from "~/domain/organisations/index.server";
import { Id } from "~/http/body/fields";
import { formatUsd } from "~/values/money";
import { BudgetForm, newBudgetOf } from "../../../../budget-form.schema";

const budget = portalEndpoint({
  params: z.object({ orgId: Id, departmentId: Id }),
  allow: "org_admin",
  page: "/dashboard/admin/organisation",
  POST: {
    body: BudgetForm,
    run: async ({ actor, params, body }) => {
      const { orgId: organisationId, departmentId } = params;
      await setDepartmentBudget(db(), actor, { organisationId, departmentId }, newBudgetOf(body));
      return done({
        to: `/dashboard/admin/organisations/${organisationId}#departments`,
        toast: "admin:done.monthlyBudget",
        answer: {
          budget_limit: body.budget_limit === null ? null : formatUsd(body.budget_limit),
          budget_period: body.budget_period,
        },
      });
    },
  },
});

export const loader = budget;
export const action = budget;
