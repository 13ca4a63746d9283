import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import type { Encryption } from "../config/database-address";
import { Prisma, PrismaClient } from "../generated/prisma/client";
import { log } from "../observe/log.server";
import { sessionSql } from "../session-settings.mjs";
import {
  addressOf,
  isReachableOtherwise,
  isWithoutTls,
  recordReached,
  settingsFor,
  waysTo,
  withAdvice,
} from "./database-connection";
import { dropReadOnlyConnections, StaleConnectionReaper } from "./lost-connections.server";

/** The database, or a transaction on it; the first parameter of every store function. */
export type Db = PrismaClient | Prisma.TransactionClient;

/** The interface for reading with raw SQL; both `Db` and a snapshot implement it. */
export type Reads = {
  $queryRaw<Rows = unknown>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): PromiseLike<Rows>;
  /** Yields the rows of a query in pages, to process each row once. `Db` lacks it and returns all rows at once. */
  pagesOf?<Row>(query: Prisma.Sql, rowsAtOnce: number): AsyncGenerator<Row[], void, undefined>;
};

type Open = {
  url: string;
  embedded: boolean;
  pool: pg.Pool;
  prisma: PrismaClient;
  cut: StaleConnectionReaper;
  /** Schema of this build's SQL functions. */
  functions: string;
  /** Schema of the tables. */
  schema: string;
  patienceMs: number;
  isStarting: boolean;
};

const EMBEDDED_POOL_SIZE = 4;
// The limits are generous, so that a transaction does not fail only because a busy machine delayed it.
const TRANSACTION = { maxWait: 5_000, timeout: 15_000 };
// Maximum time that a pooled connection may be checked out; longer than a transaction lasts.
const KEPT_AT_MOST_MS = 20_000;
// Start-up writes the whole catalogue, perhaps on a quarter of a processor, and no request waits for it.
const START_TRANSACTION = { maxWait: 120_000, timeout: 300_000 };
const START_KEEPS_MS = 310_000;
const CLOSE_WITHIN_MS = 2_000;
const SNAPSHOT_AT_MOST_MS = 3_600_000;
const INT8 = 20;
const INT8_ARRAY = 1016;
const TEXT_ARRAY = 1009;

let open: Open | null = null;
let answeredMs = Number.NEGATIVE_INFINITY;

/**
 * Prepares the connection pool of this process, without a query yet. Every BIGINT that a pool or client of this file
 * reads is a `bigint`, also in arrays; Prisma uses the types of its schema. Statements are unnamed. A pooled connection
 * that is checked out for longer than `patienceMs` (20 seconds) is closed.
 */
export async function openDatabase(options: {
  url: string;
  embedded: boolean;
  /** Schema of this build's SQL functions. */
  functions: string;
  /** Schema of the tables; by default `public`. */
  schema?: string;
  poolSize?: number;
  patienceMs?: number;
  /** Gives connections and transactions the longer limits of start-up, until `startIsOver`. */
  isStarting?: boolean;
}): Promise<void> {
  if (open !== null) await closeDatabase();
  const max = options.embedded ? EMBEDDED_POOL_SIZE : (options.poolSize ?? 10);
  const { patienceMs = KEPT_AT_MOST_MS, isStarting = false, schema = "public" } = options;
  const begin = sessionSql({ functions: options.functions, schema });
  const cut = new StaleConnectionReaper(isStarting ? START_KEEPS_MS : patienceMs);
  const pool = new pg.Pool({
    ...connection(options.url),
    // Every client uses the encryption of the last successful connection.
    Client: class extends pg.Client {
      constructor() {
        super(connection(options.url));
      }
    },
    max,
    idleTimeoutMillis: 60_000,
    onConnect: (client) => cut.during(client as pg.Client, async () => void (await client.query(begin))),
  });
  cut.watch(pool);
  // A connection that is released without an error has received a response.
  pool.on("release", (error) => {
    if (!error) answeredMs = performance.now();
  });
  pool.on("connect", dropReadOnlyConnections);
  // The pool replaces an idle connection that breaks; without a listener, its error would crash the process.
  pool.on("error", (error) => log.warn({ err: error }, "a database connection was lost"));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { schema }), transactionOptions: TRANSACTION });
  open = {
    url: options.url,
    embedded: options.embedded,
    functions: options.functions,
    schema,
    pool,
    prisma,
    cut,
    patienceMs,
    isStarting,
  };
}

/** Ends the longer limits of start-up: connections and transactions get the limits of requests. */
export function startIsOver(): void {
  const { cut, patienceMs } = opened();
  opened().isStarting = false;
  cut.patienceMs = patienceMs;
}

/** Returns how long a transaction may wait for a connection, and how long it may last, in milliseconds. */
export const transactionLimits = (): { maxWait: number; timeout: number } =>
  opened().isStarting ? START_TRANSACTION : TRANSACTION;

/**
 * Closes all pooled connections, those in use after two seconds. Does not close clients of `newSqlClient`. Safe to
 * repeat.
 */
export async function closeDatabase(): Promise<void> {
  const closing = open;
  open = null;
  if (closing === null) return;
  const late = setTimeout(() => closing.cut.all(), CLOSE_WITHIN_MS);
  await closing.prisma.$disconnect();
  await closing.pool.end();
  clearTimeout(late);
}

export const db = (): PrismaClient => opened().prisma;

/** Returns the pool that Prisma uses, for raw SQL. */
export const sqlPool = (): pg.Pool => opened().pool;

/** Returns the time of the last database response on the pool of this process (performance.now()). */
export const databaseAnsweredMs = (): number => answeredMs;

/** Whether the database is the embedded one: all connections share one session, and NOTIFY has no effect. */
export const isEmbedded = (): boolean => opened().embedded;

/**
 * Runs `work` on one snapshot of the database (a read-only transaction, REPEATABLE READ), on a connection of its own,
 * for up to an hour. With the embedded database, whose single session must not be occupied, each statement has its own
 * snapshot. Rows are read with `pg`, because Prisma takes about twelve kilobytes of memory per row, and a snapshot may
 * read a million rows.
 */
export async function onSnapshot<T>(work: (snapshot: Reads) => Promise<T>): Promise<T> {
  if (isEmbedded()) return work(readsOf(sqlPool()));
  const client = await newSqlClient();
  const late = setTimeout(() => void client.end().catch(() => undefined), SNAPSHOT_AT_MOST_MS);
  try {
    // All pages are read, so the planner must optimise the total cost (`cursor_tuple_fraction = 1`).
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL cursor_tuple_fraction = 1");
    return await work({ ...readsOf(client), pagesOf: (query, rowsAtOnce) => pagesOf(client, query, rowsAtOnce) });
  } finally {
    clearTimeout(late);
    // Closing the connection ends the transaction, which is read-only.
    await client.end().catch(() => undefined);
  }
}

/**
 * Returns a reader with `pg`, in which each statement is its own transaction. For files of a million rows: a
 * transaction must not stay open while a client downloads, and Prisma would take too much memory (see `onSnapshot`).
 */
export const plainReads = (): Reads => readsOf(sqlPool());

const readsOf = (on: pg.Pool | pg.Client): Reads => ({
  async $queryRaw<Rows>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) {
    const { text, values: bound } = query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values);
    return (await on.query(text, bound)).rows as Rows;
  },
});

let cursors = 0;

/** Yields pages with a cursor in the transaction of `client`; an unfinished cursor ends with that transaction. */
async function* pagesOf<Row>(client: pg.Client, { text, values }: Prisma.Sql, rowsAtOnce: number) {
  cursors += 1;
  const name = `pages_${cursors}`;
  await client.query(`DECLARE ${name} NO SCROLL CURSOR FOR ${text}`, values);
  for (;;) {
    const { rows } = await client.query(`FETCH ${rowsAtOnce} FROM ${name}`);
    if (rows.length > 0) yield rows as Row[];
    if (rows.length < rowsAtOnce) break;
  }
  await client.query(`CLOSE ${name}`);
}

/**
 * Returns a separate connected client, for the group commit and for LISTEN. The caller ends it; `error` is emitted when
 * it breaks.
 */
export async function newSqlClient(): Promise<pg.Client> {
  const { url, functions, schema } = opened();
  return connected(url, sessionSql({ functions, schema }), dropReadOnlyConnections);
}

/**
 * Returns a connected client whose search path has the tables but no functions of a build: for migrations, and for work
 * on a whole database. The caller ends it.
 */
export const newTablesClient = (url: string): Promise<pg.Client> => connected(url, tablesSession(url));

/** Returns the SQL that begins a session with the tables only. */
export const tablesSession = (url: string): string => sessionSql({ schema: schemaIn(url) });

/** Returns the schema in an address (Prisma's `?schema=app`); null: determined by the search path. */
export const schemaIn = (url: string): string | null => addressOf(url).schema;

async function connected(
  url: string,
  begin: string,
  prepare: (client: pg.Client) => void = () => undefined,
): Promise<pg.Client> {
  let refusal: unknown = null;
  for (const way of waysTo(url)) {
    const client = await reach(url, way, prepare).catch((error: unknown) => {
      // Of two errors, report the one that is not merely "no TLS".
      refusal = refusal === null || !isWithoutTls(error) ? error : refusal;
      if (!isReachableOtherwise(error)) throw withAdvice(error, url);
      return null;
    });
    if (client === null) continue;
    await client.query(begin);
    return client;
  }
  throw withAdvice(refusal, url);
}

async function reach(url: string, way: Encryption, prepare: (client: pg.Client) => void): Promise<pg.Client> {
  const client = new pg.Client({ ...settingsFor(url, way), types: { getTypeParser } });
  // Without a listener, an error of a client that connects after its caller gave up would crash the process.
  client.on("error", () => undefined);
  prepare(client);
  await client.connect();
  recordReached(url, way);
  return client;
}

/** Returns the settings of every `pg` connection of this program. */
export const connection = (url: string): pg.ClientConfig => ({ ...settingsFor(url), types: { getTypeParser } });

/** Records that this build's SQL functions are in use, so that no upgrade drops them. Returns the number of rows: 1. */
export async function recordFunctionsInUse(): Promise<number> {
  const sql = "UPDATE function_schema SET seen_at = now() WHERE name = $1";
  return (await sqlPool().query(sql, [opened().functions])).rowCount ?? 0;
}

function opened(): Open {
  if (open === null) throw new Error("the database is not open");
  return open;
}

const getTypeParser = ((oid: number, format?: "text" | "binary") => {
  if (format !== "binary" && oid === INT8) return BigInt;
  if (format !== "binary" && oid === INT8_ARRAY) return (text: string) => readTextArray(text).map(toBigInt);
  return pg.types.getTypeParser(oid, format as "text");
}) as typeof pg.types.getTypeParser;

const readTextArray = pg.types.getTypeParser(TEXT_ARRAY as never) as unknown as (text: string) => (string | null)[];
const toBigInt = (text: string | null) => (text === null ? null : BigInt(text));
