import pg from "pg";

/**
 * The order in which every transaction locks rows. A transaction that has locked rows of one table never locks rows of
 * an earlier table, so that no two transactions wait for each other. Tables that are not listed are locked last, or
 * their rows are locked by a single transaction only.
 */
const LOCK_ORDER = ["organisation", "app_user", "department", "project", "api_key", "ledger_account"] as const;
type Table = (typeof LOCK_ORDER)[number];

/** Database functions that lock ledger accounts; the other functions only read or insert. */
const LEDGER_FUNCTION =
  /\b(?:wallet_(?:post|set_credit_limit|mark_exempt|take_over|sweep_heirs)|ledger_post|promotion_(?:give|take|attribute|expire)|payment_(?:reconcile|post))\s*\(/;

/** Returns the tables whose rows a statement locks explicitly. Ignores locks of foreign keys: they block no other. */
export function lockedBy(statement: string): Table[] {
  const text = statement.replaceAll('"', "").replaceAll("public.", "");
  const names = [...text.matchAll(/\b(?:UPDATE|DELETE FROM)\s+(?:ONLY\s+)?(\w+)/g)].map(([, name]) => name);
  for (const [, of] of text.matchAll(/\bFOR (?:NO KEY UPDATE|UPDATE|SHARE)\b(?:\s+OF\s+(\w+))?/g)) {
    const from = [...text.matchAll(/\b(?:FROM|JOIN)\s+(\w+)(?:\s+(?:AS\s+)?(\w+))?/g)];
    names.push(
      ...from.filter(([, name, alias]) => of === undefined || of === alias || of === name).map(([, name]) => name),
    );
  }
  if (LEDGER_FUNCTION.test(text)) names.push("ledger_account");
  return LOCK_ORDER.filter((table) => names.includes(table));
}

/** Returns the statements of a transaction that lock rows out of order. */
export function outOfOrder(statements: readonly string[]): string[] {
  const held = new Set<Table>();
  const wrong: string[] = [];
  for (const statement of statements) {
    for (const table of lockedBy(statement)) {
      const later = [...held].filter((each) => LOCK_ORDER.indexOf(each) > LOCK_ORDER.indexOf(table));
      if (!held.has(table) && later.length > 0) wrong.push(`${table} after ${later.join(", ")}: ${statement.trim()}`);
      held.add(table);
    }
  }
  return wrong;
}

/** Watches every transaction of this process from now on. `stop` returns the statements that locked out of order. */
export function watchLocks(): { stop(): { transactions: number; wrong: string[] } } {
  const open = new Map<pg.Client, string[]>();
  const wrong = new Set<string>();
  let transactions = 0;
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const text = typeof given[0] === "string" ? given[0] : (given[0] as { text?: string }).text;
    if (text?.startsWith("BEGIN")) open.set(this, []);
    else if (text === "COMMIT" || text === "ROLLBACK") {
      transactions += 1;
      for (const each of outOfOrder(open.get(this) ?? [])) wrong.add(each);
      open.delete(this);
    } else if (text !== undefined) open.get(this)?.push(text);
    return query.apply(this, given);
  } as never;
  return {
    stop() {
      pg.Client.prototype.query = query as never;
      return { transactions, wrong: [...wrong] };
    },
  };
}
