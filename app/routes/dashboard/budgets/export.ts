import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { type BudgetFilter, eachBudget } from "~/domain/budgets/index.server";
import { csvResponse } from "~/http/body/csv";
import type { CsvCell } from "~/values/csv";
import { formatUsd } from "~/values/money";
import { BudgetFileQuery } from "./query.server";

const COLUMNS = [
  ...["kind", "id", "name", "organisation", "department", "project", "owner", "state", "used_percent"],
  ...["budget_limit", "budget_period", "spent", "held", "left", "forecast", "runs_out_at", "resets_at"],
  ...["limits_below", "over_allocated"],
];

/** The budgets that the caller sees, with the same filters as the page. */
const budgets = portalEndpoint({
  query: BudgetFileQuery,
  allow: "viewer",
  GET: ({ actor, query }) => csvResponse("budgets.csv", COLUMNS, linesOf(actor, query.filter)),
});

const usd = (nano: bigint | null | undefined) => (nano === null || nano === undefined ? null : formatUsd(nano));

async function* linesOf(actor: Actor, filter: BudgetFilter): AsyncGenerator<CsvCell[][], void, undefined> {
  for await (const page of eachBudget(db(), actor, filter)) {
    yield page.map(({ kind, id, name, organisation, department, project, owner, state, share, ...node }) => {
      const { budget, forecast, below } = node;
      return [
        ...[kind, id, name, organisation.name, department?.name ?? null, project?.name ?? null, owner?.name ?? null],
        ...[state, share === null ? null : ((share.spent + share.held) * 100).toFixed(2)],
        ...[usd(budget?.limitNanoUsd), budget?.period ?? null, usd(budget?.spentNanoUsd), usd(budget?.heldNanoUsd)],
        ...[usd(budget?.availableNanoUsd), usd(forecast?.endNanoUsd), forecast?.runsOutAt ?? null],
        ...[budget?.resetsAt ?? null, usd(below?.sumNanoUsd), usd(below?.overNanoUsd)],
      ];
    });
  }
}

export const loader = budgets;
export const action = budgets;
