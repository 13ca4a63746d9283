import { newTablesClient } from "~/connection/db.server";
import { projectFile } from "~/database/project-files";
import { partsOf, readScripts } from "~/database/schema/repeatable-scripts";
import type { TestDatabase } from "./database";

const OWN = partsOf(readScripts(projectFile("app/domain")));
const SHARED = OWN.shared.flatMap(({ sql }) => [...sql.matchAll(/REPLACE FUNCTION (\w+)/g)].map(([, name]) => name));

const SCHEMA = `
  SELECT 'function ' || p.oid::regprocedure || ' ' || pg_get_functiondef(p.oid) || coalesce(p.proacl::text, '') AS line
    FROM pg_proc p WHERE p.prokind = 'f' AND (p.pronamespace = '${OWN.schema}'::regnamespace
      OR p.pronamespace = 'public'::regnamespace AND p.proname = ANY ('{${SHARED}}'))
  UNION ALL SELECT 'view ' || oid::regclass || ' ' || pg_get_viewdef(oid) FROM pg_class
    WHERE relkind = 'v' AND relnamespace = '${OWN.schema}'::regnamespace
  UNION ALL SELECT 'table ' || oid::regclass || concat(' ', relpersistence, relrowsecurity) || coalesce(c.reloptions::text, '')
           || coalesce((SELECT o.reloptions::text FROM pg_class o WHERE o.oid = c.reltoastrelid), '') FROM pg_class c
    WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
  UNION ALL SELECT 'column ' || attrelid::regclass || ' ' || row_number() OVER (PARTITION BY attrelid ORDER BY attnum) || ' ' || attname
           || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull || ' ' || concat(attidentity, attgenerated, attstorage, attcompression)
           || ' ' || coalesce(nullif(attcollation, 0)::regcollation::text, '') || coalesce(' ' || pg_get_expr(d.adbin, d.adrelid), '')
    FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef d ON d.adrelid = attrelid AND d.adnum = attnum
    WHERE c.relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped AND c.relkind IN ('r', 'c')
  UNION ALL SELECT 'domain ' || oid::regtype || ' ' || format_type(typbasetype, typtypmod) || typnotnull || coalesce(typdefault, '')
           || coalesce(nullif(typcollation, 0)::regcollation::text, '')
    FROM pg_type WHERE typtype = 'd' AND typnamespace = 'public'::regnamespace
  UNION ALL SELECT 'sequence ' || seqrelid::regclass || ' ' || seqtypid::regtype || ' ' || seqstart || ' ' || seqincrement || ' ' || seqcycle
    FROM pg_sequence JOIN pg_class c ON c.oid = seqrelid WHERE c.relnamespace = 'public'::regnamespace
  UNION ALL SELECT 'constraint ' || coalesce(nullif(conrelid, 0)::regclass::text, contypid::regtype::text) || ' ' || conname || ' '
           || replace(pg_get_constraintdef(oid, true), ' NOT VALID', '')
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
  UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT 'trigger ' || concat(tgenabled, ' ') || pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = 'public'::regnamespace AND NOT tgisinternal
  ORDER BY 1`;

const BOOKS = `
  SELECT format('row ledger_account %s', to_jsonb(a) - 'created_at') AS line FROM ledger_account a
  UNION ALL SELECT format('row usage_days %s', to_jsonb(d)) FROM usage_days d
  UNION ALL SELECT format('row schema_floor %s', to_jsonb(f)) FROM schema_floor f
  UNION ALL SELECT 'applied ' || migration_name || ' ' || checksum || ' ' || applied_steps_count || ' ' || (finished_at IS NOT NULL) FROM _prisma_migrations
  UNION ALL SELECT 'script ' || name || ' ' || checksum FROM repeatable_script
  ORDER BY 1`;

/**
 * Returns the parts of a schema, one line each: tables, columns, constraints, indexes, triggers, types, sequences,
 * views, and functions with their text and rights. Functions and views of earlier releases are left out.
 */
export const schemaLines = (database: Database): Promise<string[]> => lines(database, SCHEMA);

/** Returns the initial rows of a new installation and the records of applied migrations, one line each. */
export const bookLines = (database: Database): Promise<string[]> => lines(database, BOOKS);

type Database = Pick<TestDatabase, "url">;

async function lines({ url }: Database, sql: string): Promise<string[]> {
  const client = await newTablesClient(url);
  try {
    return (await client.query<{ line: string }>(sql)).rows.map(({ line }) => line);
  } finally {
    await client.end();
  }
}
