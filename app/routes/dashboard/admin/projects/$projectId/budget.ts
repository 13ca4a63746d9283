import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { setProjectBudget } from "~/domain/organisations/index.server";
import { formatUsd } from "~/values/money";
import { BudgetForm, newBudgetOf } from "../../budget-form.schema";
import { ProjectParams } from "../../fields";

const budget = portalEndpoint({
  params: ProjectParams,
  allow: "org_admin",
  page: "/dashboard/admin/projects",
  POST: {
    body: BudgetForm,
    run: async ({ actor, params, body }) => {
      await setProjectBudget(db(), actor, params.projectId, newBudgetOf(body));
      return done({
        to: `/dashboard/admin/projects/${params.projectId}`,
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
