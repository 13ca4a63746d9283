import { z } from "zod";
import { BUDGET_SCOPES } from "~/domain/accounting/shared";
import type { BudgetSort, NodeRef } from "~/domain/budgets/shared";
import { issue } from "~/errors/message";
import { orNothing } from "~/http/body/fields";
import { sortOf } from "~/http/body/list-order";
import { BUDGET_FILTERS } from "./filters";

const MAX_ID = 2_147_483_647;
const REF = new RegExp(`^(${BUDGET_SCOPES.join("|")})-(\\d{1,10})$`);

/** A node in an address, such as `department-3`. */
const Ref = z
  .string()
  .max(30)
  .transform((text, context) => {
    const [, kind, id] = REF.exec(text) ?? [];
    if (kind !== undefined && Number(id) >= 1 && Number(id) <= MAX_ID)
      return { kind: kind as NodeRef["kind"], id: Number(id) };
    context.addIssue({ code: "custom", message: issue("problems:listPlace") });
    return z.NEVER;
  });

/** Open nodes, separated by commas; `none`: no node. */
const Refs = z
  .string()
  .max(400)
  .transform((text) => (text === "none" ? [] : text.split(",")))
  .pipe(z.array(Ref).max(10));

/** The query of the file: filters and order. */
export const BudgetFileQuery = z.object(BUDGET_FILTERS.query).transform(listOf);

/** The query of the page: filters and order, or a place in the tree. `edit`: one budget alone, with its form open. */
export const BudgetQuery = z
  .object({
    ...BUDGET_FILTERS.query,
    at: orNothing(Ref),
    open: orNothing(Refs),
    edit: orNothing(Ref),
    after: orNothing(
      z
        .string()
        .regex(/^\d{1,6}$/, issue("problems:listPlace"))
        .transform(Number),
    ),
  })
  .transform((query) => ({ ...query, ...listOf(query), skip: query.after ?? 0 }));

type Filters = z.output<z.ZodObject<typeof BUDGET_FILTERS.query>>;

function listOf({ q, kind, state, sort = "name" }: Filters) {
  return { filter: { q, kind, state }, sort: sortOf<BudgetSort["by"]>(sort) };
}
