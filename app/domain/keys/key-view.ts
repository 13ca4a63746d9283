import type { Db } from "~/connection/db.server";
import type { KeyView } from "./key";
import { readKeyBudgets } from "./key-budget";
import { statusOf } from "./policy";
import { KEY_FIELDS, type KeyRow } from "./store";

/** Returns views of rows with their budgets and current status. */
export async function viewsOf(db: Db, rows: readonly KeyRow[]): Promise<KeyView[]> {
  const budgets = await readKeyBudgets(
    db,
    rows.map(({ id }) => id),
  );
  const now = new Date();
  return rows.map((row) => ({
    ...fieldsOf(row),
    kind: row.kind === "admin" ? "admin" : "inference",
    status: statusOf(row, now),
    metadata: row.metadata as Record<string, string>,
    previousValidUntil: row.previousValidUntil !== null && row.previousValidUntil > now ? row.previousValidUntil : null,
    budget: budgets.get(row.id) ?? null,
  }));
}

/** Drops the columns that a statement has read in addition to the key's fields. */
const fieldsOf = (row: KeyRow): KeyRow => Object.fromEntries(KEY_FIELDS.map((name) => [name, row[name]])) as KeyRow;

/** Returns the view of one row. */
export async function viewOf(db: Db, row: KeyRow): Promise<KeyView> {
  const [view] = await viewsOf(db, [row]);
  return view!;
}
