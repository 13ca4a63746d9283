import type { z } from "zod";
import type { Db } from "~/connection/db.server";
import { type Actor, atLeast } from "~/domain/accounts/shared";
import {
  budgetsAtRisk,
  listBudgets,
  opensAtFirst,
  readBudgetTree,
  refText,
  type TreeRow,
} from "~/domain/budgets/index.server";
import type { BudgetNode, NodeRef } from "~/domain/budgets/shared";
import { outOfMoney } from "~/domain/request-log/index.server";
import type { BudgetQuery } from "./query.server";

const PAGE_SIZE = 50;
const AT_RISK = 3;

/** Returns the tree of budgets, or the list of those that match a filter, with those that reject next. */
export async function readBudgetPage(db: Db, actor: Actor, query: z.output<typeof BudgetQuery>) {
  const { filter, edit } = query;
  const isTree = edit === undefined && Object.values(filter).every((value) => value === undefined);
  const [shown, risk] = await Promise.all([
    isTree ? readTree(db, actor, query) : readList(db, actor, query),
    budgetsAtRisk(db, actor, AT_RISK),
  ]);
  const rows = [...shown.path, ...shown.rows];
  const keys = [...rows, ...risk.rows].filter(({ kind }) => kind === "key").map(({ id }) => id);
  const short = await outOfMoney(db, [...new Set(keys)]);
  const withShort = <Node extends BudgetNode>(node: Node) => ({
    ...node,
    tooSmall: node.kind === "key" ? (short.get(node.id)?.tooSmall ?? null) : null,
  });
  return {
    isTree,
    open: shown.open,
    rows: rows.map(withShort),
    next: shown.next,
    risk: risk.rows.map(withShort),
    isAnyLimited: risk.isAnyLimited,
    edit: edit === undefined ? null : refText(edit),
    isPart: edit !== undefined || query.at !== undefined,
    /** People and projects have pages for those who administer them. */
    administers: actor.adminMode && atLeast(actor.role, "department_admin"),
    now: new Date(),
  };
}

export type BudgetPageView = Awaited<ReturnType<typeof readBudgetPage>>;
export type BudgetPageRow = BudgetPageView["rows"][number];

async function readTree(db: Db, actor: Actor, { at, open, sort, skip }: z.output<typeof BudgetQuery>) {
  const first = opensAtFirst(actor);
  const opened: readonly NodeRef[] = open ?? (at === undefined ? first.open : []);
  const tree = { at: at ?? first.at, open: opened };
  const read = await readBudgetTree(db, actor, tree, { sort, skip, limit: PAGE_SIZE });
  return { ...read, open: opened.map(refText) };
}

async function readList(db: Db, actor: Actor, { filter, edit, sort, skip }: z.output<typeof BudgetQuery>) {
  const wanted = edit === undefined ? filter : { only: [edit] };
  const { rows, next } = await listBudgets(db, actor, wanted, { sort, skip, limit: PAGE_SIZE });
  const flat: TreeRow[] = rows.map((node) => ({ ...node, depth: 0, isOpen: false, more: false }));
  return { path: [] as TreeRow[], rows: flat, next, open: [] as string[] };
}
