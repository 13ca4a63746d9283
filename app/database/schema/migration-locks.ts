import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { log } from "~/observe/log.server";
import { onTables } from "./function-schema";

// An arbitrary advisory lock number that no other code uses; the same for every process of this program.
const MIGRATION_LOCK = 7_203_114_417n;
/** Lock of the transaction that applies a migration; the server keeps it even after its client has died. */
export const SCRIPT_LOCK = 7_203_114_418n;

/** Maximum time in which a migration tries to get its locks, in milliseconds. */
export const LOCK_PATIENCE_MS = 300_000;
/** Lock time-out of a migration. Calls queue after it for the same table, so it must wait less time than they may. */
export const LOCK_TIMEOUT = "SELECT set_config('lock_timeout', '1s', true)";
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;
const TURN_MS = 200;

/** Serialisation failure, deadlock, lock not available: the transaction had no effect, and a retry may succeed. */
const TRY_AGAIN = new Set(["40001", "40P01", "55P03"]);

/** A migration did not get a lock because of other transactions. */
export class LockedOut extends Error {}

/** Returns this error for a matching server code; null for every other code. */
export const lockedOut = (code: string | null | undefined, reason: string): LockedOut | null =>
  TRY_AGAIN.has(code ?? "") ? new LockedOut(reason) : null;

/**
 * Runs `work`, and retries with growing pauses while other transactions hold the locks it needs.
 * @throws LockedOut when they still do after `patienceMs`.
 */
export async function untilFree(patienceMs: number, work: () => Promise<void>): Promise<void> {
  const until = performance.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LockedOut) || performance.now() + pauseMs > until) throw error;
      log.warn(
        { reason: error.message.split("\n").slice(0, 2).join(": ") },
        "a migration waits for transactions that hold what it needs; trying again",
      );
      // The random part keeps transactions that blocked each other from colliding again.
      await sleep(pauseMs * (0.75 + Math.random() / 2));
    }
  }
}

/**
 * Waits until no other process migrates, and the server runs no migration of a dead process. Polls instead of waiting
 * inside a statement, because building an index concurrently would wait for that statement.
 */
export async function takeTurn(client: pg.Client): Promise<void> {
  for (const take of ["pg_try_advisory_lock", "pg_try_advisory_xact_lock"] as const) {
    const lock = take === "pg_try_advisory_lock" ? MIGRATION_LOCK : SCRIPT_LOCK;
    while (!(await client.query<{ mine: boolean }>(`SELECT ${take}($1) AS mine`, [lock])).rows[0]!.mine)
      await sleep(TURN_MS);
  }
}

/** A migration that builds an index concurrently; it must contain no other statement. */
export const CONCURRENT_INDEX =
  /^(?:\s*--[^\n]*\n|\s+)*CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS "?(\w+)"?[^;]*;?\s*$/;

/**
 * Returns the statements that apply a migration. A script is one transaction that also records the migration as
 * applied. The engine records it with a statement of its own afterwards; a process that ends in between would leave a
 * migration that can neither be repeated nor is known to be applied. An index that is built concurrently cannot be part
 * of a transaction, so it is built again after a failure: the invalid index of an earlier attempt is dropped first.
 */
export function sentFor(name: string, script: string): string[] {
  const done = `UPDATE _prisma_migrations SET finished_at = now()
  WHERE migration_name = '${name.replaceAll("'", "''")}' AND finished_at IS NULL AND rolled_back_at IS NULL`;
  const index = CONCURRENT_INDEX.exec(script)?.[1];
  if (index === undefined) {
    return [`SELECT pg_advisory_xact_lock(${SCRIPT_LOCK});\n${LOCK_TIMEOUT};\n${onTables(script)}\n;${done}`];
  }
  return [
    `SELECT pg_advisory_lock(${SCRIPT_LOCK})`,
    `${LOCK_TIMEOUT};
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relname = '${index}' AND NOT i.indisvalid) THEN
    DROP INDEX ${index};
  END IF;
END $$`,
    script,
    done,
    `SELECT pg_advisory_unlock(${SCRIPT_LOCK})`,
  ];
}
