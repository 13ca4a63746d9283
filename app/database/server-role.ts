import type pg from "pg";
import { ConfigError } from "~/config/error";
import { newTablesClient } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { describeRights, excessRights, missingIn, rightsOf, rightsSql } from "./rights";
import { missingMigrations } from "./schema/migrate.server";

// An arbitrary advisory lock number that no other code uses, so that processes that start together take turns.
const RIGHTS_LOCK = 7_203_114_422n;
const OWNER_SERVES =
  "the role of DATABASE_URL owns the tables, or may do all that their owner may: it can switch their guards off";

/** Returns the role of a connection to an address. */
export const roleOf = (url: string): Promise<string> => connected(url, currentRole);

/**
 * Grants `role` the privileges that the server needs, as the role of `ownerUrl`. One query if nothing changes. Safe to
 * repeat.
 */
export function grantPrivileges(ownerUrl: string, role: string): Promise<void> {
  return connected(ownerUrl, async (client) => {
    const owner = await currentRole(client);
    if (await ownsTables(client, role)) return log.warn({ role }, OWNER_SERVES);
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [RIGHTS_LOCK]);
    const statements = await rightsSql(client, role);
    for (const statement of statements) {
      await client.query(statement).catch((error: Error) => {
        throw new ConfigError(`the role ${owner} of DATABASE_MIGRATION_URL could not give rights: ${error.message}`);
      });
    }
    await client.query("COMMIT");
    const more = excessRights(await rightsOf(client, role));
    if (statements.length > 0)
      log.info({ role, statements: statements.length }, "the server's role was given its rights");
    if (more.length > 0)
      log.warn({ role, rights: describeRights(more) }, "the server's role may do more than the server needs");
  });
}

/**
 * Checks that the role of `url` has the privileges that the server needs.
 * @throws ConfigError, with a one-line message.
 */
export function requireRights(url: string): Promise<void> {
  return connected(url, async (client) => {
    const role = await currentRole(client);
    const missing = missingIn(await rightsOf(client, role));
    if (missing.length > 0) {
      throw new ConfigError(
        `the role ${role} of DATABASE_URL lacks ${describeRights(missing)}; npm run migrate with DATABASE_MIGRATION_URL gives it what it needs, and npm run grants prints it`,
      );
    }
    const [absent] = await missingMigrations(client);
    if (absent !== undefined)
      throw new ConfigError(
        `the database of DATABASE_URL has no ${absent}: DATABASE_MIGRATION_URL leads to another database`,
      );
  });
}

/**
 * Returns the SQL that grants a role the privileges that the server needs, for operators who do not configure the
 * owner's address in gw.
 * @throws ConfigError when the role does not exist, or is the owner.
 */
export function printableRights(url: string, role: string | undefined): Promise<string> {
  return connected(url, async (client) => {
    const to = role ?? (await currentRole(client));
    const roles = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [to]);
    if (roles.rowCount === 0) throw new ConfigError(`there is no role ${to}: CREATE ROLE comes first`);
    if (await ownsTables(client, to))
      throw new ConfigError(`the role ${to} owns the tables, or may do all that their owner may: name another one`);
    return (await rightsSql(client, to)).map((statement) => `${statement};\n`).join("");
  });
}

async function ownsTables(client: pg.Client, role: string): Promise<boolean> {
  const { rows } = await client.query<{ owns: boolean }>(
    "SELECT bool_or(pg_has_role($1, relowner, 'USAGE')) AS owns FROM pg_class WHERE relname = '_prisma_migrations' AND relkind = 'r'",
    [role],
  );
  return rows[0]!.owns;
}

async function currentRole(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ role: string }>("SELECT current_user AS role");
  return rows[0]!.role;
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await newTablesClient(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
