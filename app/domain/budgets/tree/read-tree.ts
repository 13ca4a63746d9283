import type { Db } from "~/connection/db.server";
import type { BudgetView } from "~/domain/accounting/shared";
import { type Actor, atLeast, scopeOf } from "~/domain/accounts/shared";
import { mayLimitKey } from "~/domain/keys/index.server";
import { mayLimitPerson } from "~/domain/people/index.server";
import { apiError } from "~/errors/app-error";
import { budgetStateOf, forecastOf, overAllocation } from "../forecast";
import type { BudgetNode, BudgetSort, NodeRef } from "./node";
import {
  type ChildRow,
  findNodes,
  mayReadAmounts,
  type NodeFilter,
  type NodePage,
  type NodeRow,
  sumChildren,
} from "./tree-store";

export type BudgetFilter = Pick<NodeFilter, "q" | "kind" | "state">;

/** A node of the shown tree. `depth`: 0 at the top. `more`: it is open and has further children. */
export type TreeRow = BudgetNode & { depth: number; isOpen: boolean; more: boolean };

const PER_OPEN = 20;
const MAX_OPEN = 10;
const BY_NAME = { by: "name", descending: false } as const;

/**
 * Returns budgets that match a filter, in order, at most `limit`. `next`: how many to skip for the next page; null: this
 * is the last one. Amounts are those of the counters. People see their own keys, and the limits above them.
 */
export async function listBudgets(
  db: Db,
  actor: Actor,
  filter: NodeFilter,
  page: NodePage,
): Promise<{ rows: BudgetNode[]; next: number | null }> {
  const found = await findNodes(db, actor, filter, { ...page, limit: page.limit + 1 });
  const rows = await nodesOf(db, actor, found.slice(0, page.limit));
  return { rows, next: found.length > rows.length ? page.skip + rows.length : null };
}

/**
 * Returns the tree around a node: the owners above it, itself, and its children in order, with the children of the open
 * ones. Without a node, it begins with the organisations that the actor sees.
 * @throws AppError not_found for a node that the actor does not see
 */
export async function readBudgetTree(
  db: Db,
  actor: Actor,
  tree: { at: NodeRef | null; open: readonly NodeRef[] },
  page: NodePage,
): Promise<{ path: TreeRow[]; rows: TreeRow[]; next: number | null }> {
  const above = tree.at === null ? [] : await readPath(db, actor, tree.at);
  const filter: NodeFilter = tree.at === null ? { kind: "organisation" } : { of: tree.at };
  const level = await listBudgets(db, actor, filter, page);
  const path = above.map((node, depth) => ({ ...node, depth, isOpen: true, more: false }));
  const open = tree.open.slice(0, MAX_OPEN);
  const nested = new Map(
    await Promise.all(
      open.map(async (of) => {
        const children = await listBudgets(db, actor, { of }, { sort: page.sort, skip: 0, limit: PER_OPEN });
        return [refText(of), children] as const;
      }),
    ),
  );
  return { path, rows: opened(level.rows, nested, path.length), next: level.next };
}

type Nested = ReadonlyMap<string, { rows: BudgetNode[]; next: number | null }>;

function opened(rows: readonly BudgetNode[], nested: Nested, depth: number): TreeRow[] {
  return rows.flatMap((node) => {
    const inside = node.children === 0 ? undefined : nested.get(refText(node));
    if (inside === undefined) return [{ ...node, depth, isOpen: false, more: false }];
    const row = { ...node, depth, isOpen: true, more: inside.next !== null };
    return [row, ...opened(inside.rows, nested, depth + 1)];
  });
}

/** A node as it stands in an address. */
export const refText = ({ kind, id }: NodeRef): string => `${kind}-${id}`;

async function readPath(db: Db, actor: Actor, at: NodeRef): Promise<BudgetNode[]> {
  const page: NodePage = { sort: BY_NAME, skip: 0, limit: 3 };
  const [node] = await findNodes(db, actor, { only: [at] }, page);
  if (node === undefined) throw apiError("not_found");
  const only: NodeRef[] = [{ kind: "organisation", id: node.organisationId }, at];
  if (node.kind !== "key" && node.departmentId !== null) only.push({ kind: "department", id: node.departmentId });
  return nodesOf(db, actor, await findNodes(db, actor, { only }, page));
}

/** Returns the nodes that the tree of an actor opens by itself: their department, and themselves. */
export function opensAtFirst(actor: Actor): { at: NodeRef | null; open: NodeRef[] } {
  const scope = scopeOf(actor);
  if (scope.kind === "everything") return { at: null, open: [] };
  const at = { kind: "organisation", id: scope.organisationId } as const;
  if (scope.kind === "organisation") return { at, open: [] };
  const { departmentId, userId } = actor;
  const department = departmentId === null ? [] : [{ kind: "department" as const, id: departmentId }];
  return { at, open: scope.kind === "own" ? [...department, { kind: "user", id: userId }] : department };
}

/**
 * The budgets that reject next, if spending goes on: those with nothing left, and those that run out or nearly do.
 * `isAnyLimited`: the actor sees a limit at all.
 */
export async function budgetsAtRisk(
  db: Db,
  actor: Actor,
  limit: number,
): Promise<{ rows: BudgetNode[]; isAnyLimited: boolean }> {
  const sort: BudgetSort = { by: "risk", descending: false };
  const found = await findNodes(db, actor, { isLimited: true }, { sort, skip: 0, limit: limit + ABOVE });
  const rows = (await nodesOf(db, actor, found)).filter(({ state, isShown }) => isShown && state !== "ok");
  return { rows: rows.slice(0, limit), isAnyLimited: found.length > 0 };
}

/** An organisation and a department whose amounts the reader may not see. */
const ABOVE = 2;

const PAGE = 500;

/** Yields all budgets that match a filter, page by page, for a file. */
export async function* eachBudget(
  db: Db,
  actor: Actor,
  filter: BudgetFilter,
): AsyncGenerator<BudgetNode[], void, undefined> {
  for (let skip: number | null = 0; skip !== null; ) {
    const page: { rows: BudgetNode[]; next: number | null } = await listBudgets(db, actor, filter, {
      sort: BY_NAME,
      skip,
      limit: PAGE,
    });
    yield page.rows;
    skip = page.next;
  }
}

async function nodesOf(db: Db, actor: Actor, rows: readonly NodeRow[]): Promise<BudgetNode[]> {
  const now = new Date();
  const sums = await sumChildren(db, actor, rows);
  return rows.map((row) => nodeOf(actor, row, { now, sums }));
}

function nodeOf(actor: Actor, row: NodeRow, { now, sums }: { now: Date; sums: readonly ChildRow[] }): BudgetNode {
  const budget = budgetOf(row);
  const isShown = mayReadAmounts(actor, row);
  const forecast = budget === null ? null : forecastOf(budget, now);
  const below = sums.filter(({ kind, id }) => kind === row.kind && id === row.id);
  return {
    kind: row.kind,
    id: row.id,
    name: row.name,
    organisation: { id: row.organisationId, name: row.organisationName },
    department: named(row.departmentId, row.departmentName),
    project: named(row.projectId, row.projectName),
    owner: named(row.ownerId, row.ownerName),
    share: budget === null ? null : shareOf(budget),
    budget: isShown ? budget : null,
    forecast: isShown ? forecast : null,
    state: budget === null ? "none" : budgetStateOf(budget, isShown ? forecast : null),
    isShown,
    isEditable: isEditable(actor, row),
    children: below.reduce((sum, { children }) => sum + children, 0),
    below: budget === null || !isShown || !seesAllBelow(actor, row) ? null : belowOf(budget, below),
  };
}

function budgetOf({ period, limitNanoUsd, spentNanoUsd, heldNanoUsd, resetsAt }: NodeRow): BudgetView | null {
  if (period === null || resetsAt === null) return null;
  const left = limitNanoUsd === null ? null : limitNanoUsd - spentNanoUsd - heldNanoUsd;
  return {
    period,
    limitNanoUsd,
    spentNanoUsd,
    heldNanoUsd,
    availableNanoUsd: left !== null && left < 0n ? 0n : left,
    resetsAt,
  };
}

const named = (id: number | null, name: string | null) => (id === null ? null : { id, name: name ?? "" });

/** Null without a limit; a limit of 0 counts as full. */
function shareOf({ limitNanoUsd: limit, spentNanoUsd, heldNanoUsd }: BudgetView): BudgetNode["share"] {
  if (limit === null) return null;
  const share = (part: bigint) => (limit === 0n ? 1 : Number((part * 10_000n) / limit) / 10_000);
  return { spent: share(spentNanoUsd), held: limit === 0n ? 0 : share(heldNanoUsd) };
}

function isEditable(actor: Actor, { kind, id, ownerId, role, createdById }: NodeRow): boolean {
  if (kind === "key") return mayLimitKey(actor, { kind: "inference", userId: ownerId, createdById, ownerRole: role });
  if (kind === "user") return mayLimitPerson(actor, { id, role: role ?? "member" });
  return atLeast(actor.role, "org_admin");
}

/** Whether the reader sees every limit below, so that their sum means something. */
const seesAllBelow = (actor: Actor, { kind }: NodeRow): boolean => kind === "user" || scopeOf(actor).kind !== "own";

const belowOf = (budget: BudgetView, below: readonly ChildRow[]) =>
  overAllocation(
    budget,
    below.flatMap(({ period, limits }) => (period === null ? [] : [{ period, limitNanoUsd: BigInt(limits) }])),
  );
