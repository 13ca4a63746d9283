import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db, newTablesClient } from "~/connection/db.server";
import { verifyAuditLog } from "~/domain/activity/index.server";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import { emptyDatabase, restoreInstallation } from "../../../tests/support/earlier-schema";
import { schemaLines } from "../../../tests/support/schema-lines";
import { functionSchema } from "./function-schema";
import { migrate } from "./migrate.server";

/** For each table: its columns, and a digest of these columns over all rows, with the number of rows. */
type Contents = Map<string, { columns: string[]; digest: string }>;

const BOOKKEEPING = ["_prisma_migrations", "repeatable_script", "function_schema", "schema_floor"];

// Dumps of databases that the servers of these commits have written: see tests/support/installations/README.md.
describe.each(["bcc6cd9", "6b0bbbdf"])("an installation of commit %s", (commit) => {
  let database: TestDatabase;
  let fresh: string[];
  let before: Contents;

  beforeAll(async () => {
    database = await openFreshDatabase();
    await emptyDatabase(database);
    await migrate(database);
    fresh = await schemaLines(database);
    await restoreInstallation(database, commit);
    before = await contents();
    await migrate(database);
  }, 180_000);
  afterAll(() => database.close());

  /** Reads the contents of all tables, or of the tables and columns in `earlier`. */
  async function contents(earlier?: Contents): Promise<Contents> {
    const client = await newTablesClient(database.url);
    try {
      const { rows } = await client.query<{ name: string; columns: string[] }>(
        `SELECT c.relname AS name, array_agg(quote_ident(a.attname) ORDER BY a.attname) AS columns
           FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
          WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> ALL ($1) GROUP BY c.relname ORDER BY 1`,
        [BOOKKEEPING],
      );
      const found: Contents = new Map();
      for (const { name, columns } of rows) {
        const had = earlier?.get(name)?.columns;
        if (earlier !== undefined && had === undefined) continue;
        const kept = columns.filter((column) => had?.includes(column) ?? true);
        const { rows: sums } = await client.query<{ digest: string }>(
          `SELECT count(*) || ' rows, ' || coalesce(md5(string_agg(line, ' ' ORDER BY line)), '') AS digest
             FROM (SELECT ROW(${kept.join(", ")})::text AS line FROM "${name}") x`,
        );
        found.set(name, { columns: kept, digest: sums[0]!.digest });
      }
      return found;
    } finally {
      await client.end();
    }
  }

  test("holds people, keys, money and calls", () => {
    for (const table of ["organisation", "app_user", "api_key", "ledger_entry", "hold", "usage_event", "act"])
      expect(before.get(table)?.digest, table).not.toMatch(/^0 rows/);
  });

  test("gets the schema of a new one", async () => {
    expect(await schemaLines(database)).toEqual(fresh);
  });

  test("keeps every row as it was", async () => {
    expect(await contents(before)).toEqual(before);
  });

  test("has books that balance, and an audit log whose chain is whole", async () => {
    expect(await db().$queryRawUnsafe(`SELECT * FROM ${functionSchema()}.ledger_audit`)).toEqual([]);
    expect(await verifyAuditLog(db())).toMatchObject({ defects: [] });
  });
});
