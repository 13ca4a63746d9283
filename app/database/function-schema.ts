import type pg from "pg";
import { log } from "~/log.server";
import { FUNCTION_SCHEMA, TABLES_SCHEMA } from "../session-settings.mjs";
import { readBookkeeping } from "./bookkeeping";
import { projectFile } from "./project-files";
import { partsOf, readScripts, type ScriptParts } from "./repeatable-scripts";

/** A release has ended when none of its processes has reported for this long. Each reports every hour. */
const UNSEEN_DAYS = 7;

/** Tables first, then what is temporary: what runs with its owner's rights must find nothing of its caller's. */
const TABLES_PATH = `SELECT set_config('search_path', format('%I, pg_temp', ${TABLES_SCHEMA}), true)`;

let own: string | null = null;

/** The schema with the functions and views of this build. */
export const functionSchema = (): string => (own ??= partsOf(readScripts(projectFile("app/domain"))).schema);

/** SQL, in a transaction, before what concerns tables: the path of a shared session may lead elsewhere. */
export const onTables = (sql: string): string => `${TABLES_PATH};\n${sql}`;

/**
 * SQL that makes the schema of a build with all that is in it; it belongs into one transaction. One that is there without its row has lost the
 * tables that it was made for.
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
 * Drops the functions of releases that no process has used for a week, but for those that were used last beside `kept`. With the role that
 * made them; what cannot be dropped now is dropped with a later upgrade.
 */
export async function dropUnusedFunctions(client: pg.Client, kept: string): Promise<void> {
  const rows = await readBookkeeping<{ name: string }>(
    client,
    "function_schema",
    `SELECT name FROM (SELECT name, seen_at, row_number() OVER (ORDER BY seen_at DESC) AS rank FROM function_schema WHERE name <> '${kept}') x
      WHERE rank > 1 AND seen_at < now() - interval '${UNSEEN_DAYS} days' AND name ~ '^${FUNCTION_SCHEMA}$'`,
  );
  for (const { name } of rows) {
    const dropping = `SELECT set_config('lock_timeout', '1s', true);
      DROP SCHEMA IF EXISTS ${name} CASCADE; DELETE FROM function_schema WHERE name = '${name}'`;
    await client.query(dropping).then(
      () => log.info({ schema: name }, "the SQL functions of a release that is not used any more were dropped"),
      (problem) => log.warn({ err: problem, schema: name }, "SQL functions that are not used any more stay for now"),
    );
  }
}
