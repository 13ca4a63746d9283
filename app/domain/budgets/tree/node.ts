import type { Sort } from "~/connection/keyset-store";
import type { BudgetScope, BudgetView } from "~/domain/accounting/shared";
import type { BudgetState, Forecast } from "../forecast";

/** An owner of a budget in the tree. */
export type NodeRef = { kind: BudgetScope; id: number };

/** Orders of budgets. `risk`: those that reject next come first. */
export const BUDGET_SORTS = ["name", "limit", "spent", "left", "forecast", "risk"] as const;
export type BudgetSort = Sort<(typeof BUDGET_SORTS)[number]>;

type Named = { id: number; name: string } | null;

/** A budget of the tree with its owner. Amounts are nano-USD. */
export type BudgetNode = NodeRef & {
  name: string;
  organisation: { id: number; name: string };
  department: Named;
  project: Named;
  owner: Named;
  /** Fractions of the limit; null: no limit. */
  share: { spent: number; held: number } | null;
  /** Null: the owner never had a budget, or the reader may only see how full it is. */
  budget: BudgetView | null;
  /** Null: as for the budget, or too little is known. */
  forecast: Forecast | null;
  state: BudgetState;
  /** Whether the reader may see its amounts. */
  isShown: boolean;
  /** Whether the reader may change its limit. */
  isEditable: boolean;
  /** Number of owners below it that the reader sees. */
  children: number;
  /** Sum of the limits below it of the same period, and its excess over the own limit; null: none, or not shown. */
  below: { sumNanoUsd: bigint; overNanoUsd: bigint } | null;
};
