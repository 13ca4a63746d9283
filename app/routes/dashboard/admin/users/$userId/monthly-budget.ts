import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { setMonthlyBudget } from "~/domain/people/index.server";
import { formatUsd } from "~/values/money";
import { UserParams } from "../../fields";
import { MonthlyBudgetForm } from "./person-form.schema";

const monthlyBudget = portalEndpoint({
  params: UserParams,
  allow: "platform_admin",
  page: "/dashboard/admin/users",
  POST: {
    body: MonthlyBudgetForm,
    run: async ({ actor, params, body }) => {
      await setMonthlyBudget(db(), actor, params.userId, body.monthly_budget);
      return done({
        to: `/dashboard/admin/users/${params.userId}`,
        toast: "admin:done.monthlyBudget",
        answer: { monthly_budget: body.monthly_budget === null ? null : formatUsd(body.monthly_budget) },
      });
    },
  },
});

export const loader = monthlyBudget;
export const action = monthlyBudget;
