import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { log } from "~/log.server";
import { onTables } from "./function-schema";

// Any number that nothing else locks; the same one for every process of this program.
const MIGRATION_LOCK = 7_203_114_417n;
/** Held while a migration is applied, also by a server whose client is gone. */
export const SCRIPT_LOCK = 7_203_114_418n;

/** How long a migration tries to get its locks. */
export const LOCK_PATIENCE_MS = 300_000;
/** Calls queue behind what waits for a lock on their table, so it waits for less time than they do. */
export const LOCK_TIMEOUT = "SELECT set_config('lock_timeout', '1s', true)";
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;
const TURN_MS = 200;

/** Serialisation failure, deadlock, lock not available: nothing has happened, and a moment later it may succeed. */
const TRY_AGAIN = new Set(["40001", "40P01", "55P03"]);

/** Other transactions have kept a lock from a migration. */
export class LockedOut extends Error {}

/** The error for a server's code that means so; null for every other one. */
export const lockedOut = (code: string | null | undefined, reason: string): LockedOut | null =>
  TRY_AGAIN.has(code ?? "") ? new LockedOut(reason) : null;

/**
 * Does `work` again, after growing pauses, as long as other transactions are in its way.
 * @throws LockedOut when they still are after `patienceMs`.
 */
export async function untilFree(patienceMs: number, work: () => Promise<void>): Promise<void> {
  const until = performance.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      return await work();
    } catch (problem) {
      if (!(problem instanceof LockedOut) || performance.now() + pauseMs > until) throw problem;
      log.warn(
        { reason: problem.message.split("\n").slice(0, 2).join(": ") },
        "a migration waits for transactions that hold what it needs; trying again",
      );
      // Those that stood in each other's way must not meet again.
      await sleep(pauseMs * (0.75 + Math.random() / 2));
    }
  }
}

/**
 * Waits until no other process migrates, and no server works on for one that is gone. It asks again and again: one that waited inside of a
 * statement would be waited for by an index that is built concurrently.
 */
export async function takeTurn(client: pg.Client): Promise<void> {
  for (const take of ["pg_try_advisory_lock", "pg_try_advisory_xact_lock"] as const) {
    const lock = take === "pg_try_advisory_lock" ? MIGRATION_LOCK : SCRIPT_LOCK;
    while (!(await client.query<{ mine: boolean }>(`SELECT ${take}($1) AS mine`, [lock])).rows[0]!.mine)
      await sleep(TURN_MS);
  }
}

/** An index on a table that is in use: a migration of its own, with nothing else in it. */
export const CONCURRENT_INDEX =
  /^(?:\s*--[^\n]*\n|\s+)*CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS "?(\w+)"?[^;]*;?\s*$/;

/**
 * What is sent to apply a migration, statement by statement. A script is one transaction, which also says that it is done: the engine says so with
 * a statement of its own behind it, and a process that ends between the two would leave a migration that can neither be
 * repeated nor is known to be applied. An index that is built concurrently cannot be part of a transaction. It is repeated instead: what an
 * earlier attempt has left is not valid, and goes first.
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
