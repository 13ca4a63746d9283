import type pg from "pg";
import { log } from "~/observe/log.server";
import { FUNCTION_SCHEMA, TABLES_SCHEMA } from "../../session-settings.mjs";
import { projectFile } from "../project-files";
import { readBookkeeping } from "./bookkeeping";
import { partsOf, readScripts, type ScriptParts } from "./repeatable-scripts";

/**
 * A release is no longer in use when none of its processes has reported for this many days. Each reports every hour.
 */
const UNSEEN_DAYS = 7;

/**
 * Tables come before temporary objects, so that functions with their owner's rights never use a caller's temporary
 * objects.
 */
const TABLES_PATH = `SELECT set_config('search_path', format('%I, pg_temp', ${TABLES_SCHEMA}), true)`;

let own: string | null = null;

/** The schema with the functions and views of this build. */
export const functionSchema = (): string => (own ??= partsOf(readScripts(projectFile("app/domain"))).schema);

/**
 * Prefixes SQL in a transaction with the search path of the tables; the path of a shared session may be another one.
 */
export const onTables = (sql: string): string => `${TABLES_PATH};\n${sql}`;

/**
 * Returns the SQL that creates the schema of a build with its functions and views. Run it in one transaction. Replaces
 * a schema that has no row in `function_schema`: the tables that it was created for no longer exist.
 */
export const makingFunctions = ({ schema, schemaSql }: ScriptParts): string => `DROP SCHEMA IF EXISTS ${schema} CASCADE;
CREATE SCHEMA ${schema};
INSERT INTO function_schema (name) VALUES ('${schema}') ON CONFLICT (name) DO UPDATE SET made_at = now(), seen_at = now();
SELECT set_config('check_function_bodies', 'off', true),
       set_config('search_path', format('%I, %s', '${schema}', current_setting('search_path')), true);
${schemaSql}`;

export async function hasFunctions(client: pg.Client, { schema }: ScriptParts): Promise<boolean> {
  const rows = await readBookkeeping<{ name: string }>(
    client,
    "function_schema",
    "SELECT name FROM function_schema JOIN pg_namespace ON nspname = name",
  );
  return rows.some(({ name }) => name === schema);
}

/**
 * Drops the functions of releases that no process has used for a week, except `current` and the most recently used other
 * release. Needs the role that created them. Functions that cannot be dropped now are dropped by a later upgrade.
 */
export async function dropUnusedFunctions(client: pg.Client, current: string): Promise<void> {
  const rows = await readBookkeeping<{ name: string }>(
    client,
    "function_schema",
    `SELECT name FROM (SELECT name, seen_at, row_number() OVER (ORDER BY seen_at DESC) AS rank FROM function_schema WHERE name <> '${current}') x
      WHERE rank > 1 AND seen_at < now() - interval '${UNSEEN_DAYS} days' AND name ~ '^${FUNCTION_SCHEMA}$'`,
  );
  for (const { name } of rows) {
    const dropping = `SELECT set_config('lock_timeout', '1s', true);
      DROP SCHEMA IF EXISTS ${name} CASCADE; DELETE FROM function_schema WHERE name = '${name}'`;
    await client.query(dropping).then(
      () => log.info({ schema: name }, "the SQL functions of a release that is not used any more were dropped"),
      (error) => log.warn({ err: error, schema: name }, "SQL functions that are not used any more stay for now"),
    );
  }
}
