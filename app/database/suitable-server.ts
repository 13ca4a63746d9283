import { randomBytes } from "node:crypto";
import type pg from "pg";
import { ConfigError } from "~/config/error";
import { newTablesClient, schemaIn } from "~/connection/db.server";
import { withTimeout } from "~/network/with-timeout";
import { TABLES_SCHEMA } from "../session-settings.mjs";

const OLDEST_VERSION = 15;
const ANSWER_WITHIN_MS = 10_000;
const NOTIFIED_WITHIN_MS = 5_000;

/** Version texts of other programs that use PostgreSQL's protocol. */
const IMITATIONS = /^(?!PostgreSQL )|-YB-/;

type Found = { encoding: string; database: string; schema: string; exists: boolean; homes: string[] };

/**
 * Checks that a server is PostgreSQL and new enough, before any other query.
 * @throws ConfigError, with a one-line message.
 */
export async function requireVersion(client: Pick<pg.Client, "query">): Promise<void> {
  const { rows } = await client.query<{ version: number; product: string }>(
    "SELECT current_setting('server_version_num')::int / 10000 AS version, version() AS product",
  );
  const { version, product } = rows[0]!;
  const requirement = `gw needs PostgreSQL ${OLDEST_VERSION} or newer`;
  if (IMITATIONS.test(product))
    throw new ConfigError(`the database is ${product.split(/ \(| on |,/)[0]}, which is no PostgreSQL: ${requirement}`);
  if (version < OLDEST_VERSION) throw new ConfigError(`the database is PostgreSQL ${version}: ${requirement}`);
}

/**
 * Checks the encoding of a database, and the schema that the address or the search path names, before any write. A
 * database has at most one installation, because the functions of a build are created for its tables.
 * @throws ConfigError, with a one-line message.
 */
export async function requireSuitable(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<Found>(
    `SELECT current_setting('server_encoding') AS encoding, current_database() AS database, schema, to_regnamespace(quote_ident(schema)) IS NOT NULL AS exists,
            ARRAY(SELECT relnamespace::regnamespace::text FROM pg_class WHERE relname = 'repeatable_script' AND relkind = 'r' ORDER BY 1) AS homes
       FROM (SELECT coalesce($1, ${TABLES_SCHEMA}) AS schema) named`,
    [schemaIn(url)],
  );
  const { encoding, database, schema, exists, homes } = rows[0]!;
  if (encoding !== "UTF8")
    throw new ConfigError(
      `the database ${database} is encoded in ${encoding}, which cannot hold every text: make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`,
    );
  if (!exists)
    throw new ConfigError(
      `the database ${database} has no schema ${schema}: CREATE SCHEMA ${schema}, or name another one with ?schema= in the address`,
    );
  if (homes.length > 0 && !homes.includes(schema))
    throw new ConfigError(
      `the tables in the database ${database} are in the schema ${homes[0]}, and the address and its role lead to ${schema}: add ?schema=${homes[0]} to the address; a second installation needs a database of its own`,
    );
}

/**
 * Checks the server's version, that a connection keeps its session between transactions, and that it receives
 * notifications. A pooler in transaction mode breaks the last two.
 * @throws ConfigError, with a one-line message.
 */
export async function requireSessions(url: string): Promise<void> {
  const mark = `gw_session_${randomBytes(8).toString("hex")}`;
  const ownClient = await newTablesClient(url);
  try {
    await requireVersion(ownClient);
    const notified = new Promise<true>((resolve) =>
      ownClient.on("notification", ({ channel }) => channel === mark && resolve(true)),
    );
    await ownClient.query(`SELECT set_config('gw.session', '${mark}', false)`);
    await ownClient.query(`LISTEN ${mark}`);
    const other = await newTablesClient(url);
    try {
      // In transaction mode, this transaction occupies the server connection that the pooler last assigned to `ownClient`.
      await other.query("BEGIN");
      const sessions = [await sessionOf(other), await withTimeout(sessionOf(ownClient), ANSWER_WITHIN_MS)];
      if (sessions[0] === mark || sessions[1] !== mark)
        throw new ConfigError(
          `${POOLER} lends connections by the transaction, and sessions do not last: use its session mode, or the address of the database itself`,
        );
      await other.query(`SELECT pg_notify('${mark}', '')`);
      await other.query("COMMIT");
    } finally {
      await other.end();
    }
    const isNotified = await withTimeout(notified, NOTIFIED_WITHIN_MS).catch(() => false);
    if (!isNotified)
      throw new ConfigError(
        `${POOLER} does not pass notifications (LISTEN) on: use the address of the database itself`,
      );
  } finally {
    await ownClient.end();
  }
}

const POOLER = "the address of the database leads to a pooler that";

async function sessionOf(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ mark: string | null }>("SELECT current_setting('gw.session', true) AS mark");
  return rows[0]!.mark;
}

/** Returns the maximum connections of the role to this database; null: no limit for the role or the database. */
export async function connectionLimit(client: Pick<pg.Client, "query">): Promise<number | null> {
  const { rows } = await client.query<{ most: number | null }>(
    `SELECT least(nullif(rolconnlimit, -1), nullif(datconnlimit, -1)) AS most
       FROM pg_roles, pg_database WHERE rolname = session_user AND datname = current_database() AND NOT rolsuper`,
  );
  return rows[0]?.most ?? null;
}
