import { flashCookie } from "~/access/flash.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { cameFrom } from "~/access/safe-next";
import { db } from "~/connection/db.server";
import type { BudgetLimit } from "~/domain/accounting/shared";
import { type ChangedBudget, changeBudget } from "~/domain/budgets/index.server";
import type { NodeRef } from "~/domain/budgets/shared";
import { formatUsd, plainUsd } from "~/values/money";
import { LimitForm } from "./limit.schema";

const PAGE = "/dashboard/budgets";

/** Changes the limit of an owner of any kind. The next page offers to restore the one before. */
const limit = portalEndpoint({
  allow: "member",
  page: PAGE,
  POST: {
    body: LimitForm,
    run: async ({ actor, body, request }) => {
      const { kind, id, budget_limit: limitNanoUsd, budget_period: period, was_limit: was, was_period } = body;
      const expected = was === undefined ? undefined : { limitNanoUsd: was, period: was_period };
      const changed = await changeBudget(db(), actor, { kind, id }, { limitNanoUsd, period, expected });
      return done({
        to: cameFrom(request, PAGE),
        cookies: [undoCookie({ kind, id }, changed)],
        answer: { kind, id, ...answerOf(changed.after), before: answerOf(changed.before) },
      });
    },
  },
});

const answerOf = ({ limitNanoUsd, period }: BudgetLimit) => ({
  budget_limit: limitNanoUsd === null ? null : formatUsd(limitNanoUsd),
  budget_period: period,
});

const typed = (limitNanoUsd: bigint | null) => (limitNanoUsd === null ? "" : plainUsd(limitNanoUsd));

const undoCookie = ({ kind, id }: NodeRef, { name, before, after }: ChangedBudget) =>
  flashCookie("undo", {
    action: "/dashboard/budgets/limit",
    name,
    fields: {
      kind,
      id: String(id),
      budget_limit: typed(before.limitNanoUsd),
      budget_period: before.period,
      was_limit: typed(after.limitNanoUsd),
      was_period: after.period,
    },
  });

export const loader = limit;
export const action = limit;
