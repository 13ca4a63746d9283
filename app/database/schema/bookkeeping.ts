import type pg from "pg";
import { ConfigError } from "~/config/error";

const NO_SUCH_TABLE = "42P01";
const NOT_ALLOWED = "42501";

/**
 * Reads a table that records what was applied to a database; no rows when the table does not exist yet.
 * @throws ConfigError when the role lacks the right to read it.
 */
export async function readBookkeeping<Row extends pg.QueryResultRow>(
  client: pg.Client,
  table: "_prisma_migrations" | "repeatable_script" | "function_schema" | "schema_floor",
  sql: string,
): Promise<Row[]> {
  try {
    return (await client.query<Row>(sql)).rows;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === NO_SUCH_TABLE) return [];
    if (code !== NOT_ALLOWED) throw error;
    throw new ConfigError(
      `the role of DATABASE_URL may not read the table ${table}; npm run migrate with DATABASE_MIGRATION_URL gives it what it needs`,
    );
  }
}
