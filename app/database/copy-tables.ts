import type pg from "pg";
import { ConfigError } from "~/config/error";
import { onTables } from "./schema/function-schema";

/** A copied table and its number of rows. */
export type CopiedTable = { table: string; rows: number };

type Table = { name: string; sql: string; columns: { name: string; sql: string; type: string }[]; bytesPerRow: number };

// Tables that record migrations and scripts; the target has its own rows.
const BOOKKEEPING = ["_prisma_migrations", "repeatable_script", "function_schema", "schema_floor"];
const BATCH_BYTES = 4_000_000;
const MAX_ROWS = 2_000;

// Values are copied in the text form of COPY, which PostgreSQL reads back exactly.
const TEXT_FORM = `SET LOCAL "TimeZone" = 'UTC'; SET LOCAL "DateStyle" = 'ISO, YMD'; SET LOCAL "IntervalStyle" = 'postgres';
SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1; SET LOCAL statement_timeout = 0`;

/**
 * Replaces the rows of `to` by those of `from`: all tables of the schema in the search path, and the positions of the
 * sequences. Both databases must have the same migrations; their PostgreSQL versions may differ. Triggers do not fire,
 * and foreign keys are checked at the end. Each table is compared with its source before the one commit, so the copy is
 * complete or has no effect, and is safe to repeat. `from` is read in one snapshot and not changed. Both roles must own
 * the tables.
 * @throws ConfigError when the databases have different tables, or a copied table differs from its source.
 */
export async function copyTables(
  from: pg.Client,
  to: pg.Client,
  onTable: (copied: CopiedTable) => void = () => undefined,
): Promise<CopiedTable[]> {
  await from.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${onTables(TEXT_FORM)}`);
  await to.query(`BEGIN; ${onTables(TEXT_FORM)}`);
  try {
    const tables = await tablesOf(from);
    requireSame(tables, await tablesOf(to));
    const foreignKeys = await dropForeignKeys(to);
    for (const { sql } of tables) await to.query(`ALTER TABLE ${sql} DISABLE TRIGGER USER; DELETE FROM ${sql}`);
    const copied: CopiedTable[] = [];
    for (const table of tables) {
      const rows = await copyRows(from, to, table);
      await requireEqual(from, to, table);
      copied.push({ table: table.name, rows });
      onTable({ table: table.name, rows });
    }
    await copySequences(from, to);
    await from.query("COMMIT");
    for (const { sql } of tables) await to.query(`ALTER TABLE ${sql} ENABLE TRIGGER USER`);
    for (const { table, name, definition } of foreignKeys)
      await to.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    await to.query("COMMIT");
    return copied;
  } catch (error) {
    await Promise.allSettled([from.query("ROLLBACK"), to.query("ROLLBACK")]);
    throw error;
  }
}

/** Lists the tables with their columns, without generated columns, which the target computes. */
async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT c.relname AS name, format('%I', c.relname) AS sql,
            json_agg(json_build_object('name', a.attname, 'sql', format('%I', a.attname), 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attname) AS columns,
            CASE WHEN c.reltuples > 0 THEN pg_table_size(c.oid) / c.reltuples ELSE 0 END AS "bytesPerRow"
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> ALL ($1)
      GROUP BY c.oid, c.relname, c.reltuples ORDER BY c.relname`,
    [BOOKKEEPING],
  );
  return rows;
}

function requireSame(source: Table[], target: Table[]): void {
  const shape = (tables: Table[]) => tables.map(({ name, columns }) => JSON.stringify([name, columns]));
  const had = new Set(shape(target));
  const strange = shape(source).find((table) => !had.has(table));
  if (strange === undefined && source.length === target.length) return;
  const table = strange === undefined ? "of its own" : (JSON.parse(strange) as [string])[0];
  throw new ConfigError(`the two databases have not the same tables: ${table}`);
}

type ForeignKey = { table: string; name: string; definition: string };

async function dropForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT format('%I', t.relname) AS table, format('%I', k.conname) AS name, pg_get_constraintdef(k.oid) AS definition
       FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid
      WHERE k.contype = 'f' AND k.conparentid = 0 AND t.relnamespace = current_schema()::regnamespace ORDER BY k.conname`,
  );
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  return rows;
}

async function copyRows(from: pg.Client, to: pg.Client, table: Table): Promise<number> {
  const { columns } = table;
  const names = columns.map(({ sql }) => sql).join(", ");
  const atOnce = Math.max(1, Math.min(MAX_ROWS, Math.floor(BATCH_BYTES / Math.max(1, table.bytesPerRow))));
  await from.query(
    `DECLARE copied NO SCROLL CURSOR FOR SELECT ${columns.map(({ sql }) => `${sql}::text`).join(", ")} FROM ${table.sql}`,
  );
  const insert = `INSERT INTO ${table.sql} (${names}) OVERRIDING SYSTEM VALUE
    SELECT ${columns.map(({ type }, index) => `c${index}::${type}`).join(", ")}
      FROM unnest(${columns.map((_, index) => `$${index + 1}::text[]`).join(", ")}) u (${columns.map((_, index) => `c${index}`).join(", ")})`;
  let copied = 0;
  for (;;) {
    const { rows } = await from.query<(string | null)[]>({ text: `FETCH ${atOnce} FROM copied`, rowMode: "array" });
    if (rows.length === 0) break;
    await to.query(
      insert,
      columns.map((_, index) => rows.map((row) => row[index])),
    );
    copied += rows.length;
  }
  await from.query("CLOSE copied");
  return copied;
}

/** Compares the number of rows and the sum of the row digests in both databases. */
async function requireEqual(from: pg.Client, to: pg.Client, { name, sql, columns }: Table): Promise<void> {
  const row = columns.map((column) => `${column.sql}::text`).join(", ");
  const question = `SELECT count(*)::text AS rows, coalesce(sum(('x' || left(md5(ROW(${row})::text), 15))::bit(60)::bigint), 0)::text AS digest FROM ${sql}`;
  const [source, target] = await Promise.all([from.query(question), to.query(question)]);
  if (source.rows[0].rows === target.rows[0].rows && source.rows[0].digest === target.rows[0].digest) return;
  throw new ConfigError(
    `the table ${name} did not arrive as it was: ${target.rows[0].rows} of ${source.rows[0].rows} rows, or other values`,
  );
}

async function copySequences(from: pg.Client, to: pg.Client): Promise<void> {
  const { rows } = await from.query<{ name: string }>(
    "SELECT format('%I', relname) AS name FROM pg_class WHERE relkind = 'S' AND relnamespace = current_schema()::regnamespace",
  );
  for (const { name } of rows) {
    const { rows: at } = await from.query(`SELECT last_value::text AS value, is_called AS called FROM ${name}`);
    await to.query("SELECT setval($1::text::regclass, $2::text::bigint, $3)", [name, at[0].value, at[0].called]);
  }
}
