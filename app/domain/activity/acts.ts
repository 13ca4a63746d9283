import type { Db } from "~/db.server";
import type { ActFilter, ActView, NewAct } from "./shared";
import { findActs, insertAct } from "./store";

/**
 * Writes down what somebody did. `db` is the transaction of the act itself, so that neither exists without the other.
 * Amounts in `before` and `after` become decimal texts; a repeated call is a second act.
 */
export async function recordAct(db: Db, act: NewAct): Promise<void> {
  await insertAct(db, { ...act, before: plain(act.before), after: plain(act.after) });
}

/** The newest acts first, at most `limit`. The caller has put the reader's scope into the filter. */
export function readActs(db: Db, filter: ActFilter): Promise<ActView[]> {
  return findActs(db, filter);
}

function plain(fields: NewAct["before"]): Record<string, unknown> | null {
  if (fields === null || fields === undefined) return null;
  return JSON.parse(JSON.stringify(fields, (_, value) => (typeof value === "bigint" ? String(value) : value)));
}
