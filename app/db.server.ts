import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { Prisma, PrismaClient } from "./generated/prisma/client";
import { log } from "./log.server";
import { dropReadOnlyConnections, StaleConnectionReaper } from "./lost-connections.server";
import { sessionSql } from "./session-settings.mjs";

/** The database, or a transaction on it: what every store function takes first. */
export type Db = PrismaClient | Prisma.TransactionClient;

/** What only reads in its own SQL needs of the database: `Db` has it, and a snapshot. */
export type Reads = {
  $queryRaw<Rows = unknown>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): PromiseLike<Rows>;
  /** The rows of a query, so many at a time, for who has use for each only once. `Db` has them all at once only. */
  pagesOf?<Row>(query: Prisma.Sql, rowsAtOnce: number): AsyncGenerator<Row[], void, undefined>;
};

type Open = {
  url: string;
  embedded: boolean;
  pool: pg.Pool;
  prisma: PrismaClient;
  cut: StaleConnectionReaper;
  /** The schema with the SQL functions of this build. */
  functions: string;
  /** The schema with the tables. */
  schema: string;
  patienceMs: number;
  isStarting: boolean;
};

const EMBEDDED_POOL_SIZE = 4;
const CONNECT_WITHIN_MS = 5_000;
// A busy machine must not fail a transaction that only had to wait for its turn.
const TRANSACTION = { maxWait: 5_000, timeout: 15_000 };
// How long anybody may keep a pooled connection: longer than a transaction lasts.
const KEPT_AT_MOST_MS = 20_000;
// A start writes the whole catalogue, on a machine that may have a quarter of a processor, and no request waits for it.
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
 * Connects this process to its database; nothing is asked yet. Every BIGINT that a pool or client of this file reads is a
 * `bigint`, also in arrays; Prisma reads what its schema says. Statements are unnamed. Whoever keeps a pooled connection
 * for longer than `patienceMs` (20 seconds) loses it.
 */
export async function openDatabase(options: {
  url: string;
  embedded: boolean;
  /** The schema with this build's SQL functions. */
  functions: string;
  /** The schema with the tables; `public`. */
  schema?: string;
  poolSize?: number;
  patienceMs?: number;
  /** Until `startIsOver` connections and transactions may take the minutes that a start may take. */
  isStarting?: boolean;
}): Promise<void> {
  if (open !== null) await closeDatabase();
  const max = options.embedded ? EMBEDDED_POOL_SIZE : (options.poolSize ?? 10);
  const { patienceMs = KEPT_AT_MOST_MS, isStarting = false, schema = "public" } = options;
  const begin = sessionSql({ functions: options.functions, schema });
  const cut = new StaleConnectionReaper(isStarting ? START_KEEPS_MS : patienceMs);
  const pool = new pg.Pool({
    ...connection(options.url),
    max,
    idleTimeoutMillis: 60_000,
    onConnect: (client) => cut.during(client as pg.Client, async () => void (await client.query(begin))),
  });
  cut.watch(pool);
  // A connection that is released without an error has had an answer.
  pool.on("release", (problem) => {
    if (!problem) answeredMs = performance.now();
  });
  pool.on("connect", dropReadOnlyConnections);
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on("error", (problem) => log.warn({ err: problem }, "a database connection was lost"));
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

/** From now on connections and transactions have the time that requests have. */
export function startIsOver(): void {
  const { cut, patienceMs } = opened();
  opened().isStarting = false;
  cut.patienceMs = patienceMs;
}

/** How long a transaction may wait for a connection, and last. */
export const transactionLimits = (): { maxWait: number; timeout: number } =>
  opened().isStarting ? START_TRANSACTION : TRANSACTION;

/** Closes all pooled connections, those in use two seconds later. Clients of `newSqlClient` belong to their makers. Safe to repeat. */
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

/** The pool under Prisma, for SQL that is written by hand. */
export const sqlPool = (): pg.Pool => opened().pool;

/** When the pool of this process last had an answer from the database (performance.now()). */
export const databaseAnsweredMs = (): number => answeredMs;

/** Whether the database is the embedded one: one session for all connections, and NOTIFY reaches nobody. */
export const isEmbedded = (): boolean => opened().embedded;

/**
 * Runs `work` on one state of the database (a read-only transaction, REPEATABLE READ), on a connection of its own, for as long as an hour.
 * All connections to the embedded database share one session, which nobody may keep to himself: there each statement sees its own moment.
 * Rows come as `pg` reads them, not through Prisma, which takes some twelve kilobytes of memory a row: a snapshot reads a million.
 */
export async function onSnapshot<T>(work: (snapshot: Reads) => Promise<T>): Promise<T> {
  if (isEmbedded()) return work(readsOf(sqlPool()));
  const client = await newSqlClient();
  const late = setTimeout(() => void client.end().catch(() => undefined), SNAPSHOT_AT_MOST_MS);
  try {
    // Whoever reads by pages reads all of them: a plan for the first ones would be the wrong one.
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL cursor_tuple_fraction = 1");
    return await work({ ...readsOf(client), pagesOf: (query, rowsAtOnce) => pagesOf(client, query, rowsAtOnce) });
  } finally {
    clearTimeout(late);
    // With the connection the transaction ends; it has written nothing.
    await client.end().catch(() => undefined);
  }
}

/**
 * Reads through `pg` itself, each statement on its own: for files of a million rows, which nobody may keep a transaction open for as long as
 * a client takes to read them. What `onSnapshot` says of Prisma and memory is why.
 */
export const plainReads = (): Reads => readsOf(sqlPool());

const readsOf = (on: pg.Pool | pg.Client): Reads => ({
  async $queryRaw<Rows>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) {
    const { text, values: bound } = query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values);
    return (await on.query(text, bound)).rows as Rows;
  },
});

let cursors = 0;

/** By a cursor of the transaction that `client` is in, with which it ends where not all pages are taken. */
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

/** A connected client of its own, for the group commit and for LISTEN. The caller ends it; its `error` says that it broke. */
export async function newSqlClient(): Promise<pg.Client> {
  const { url, functions, schema } = opened();
  return connected(url, sessionSql({ functions, schema }), dropReadOnlyConnections);
}

/**
 * A client whose session sees the tables and not the functions of a build: for migrations, and for what is done to a whole database. The
 * caller ends it.
 */
export const newTablesClient = (url: string): Promise<pg.Client> => connected(url, tablesSession(url));

/** SQL: what a session on the tables alone begins with. */
export const tablesSession = (url: string): string => sessionSql({ schema: schemaIn(url) });

/** The schema that an address names, as users of Prisma do (`?schema=app`); null: the search path says it. */
export const schemaIn = (url: string): string | null => new URL(url).searchParams.get("schema");

async function connected(
  url: string,
  begin: string,
  prepare: (client: pg.Client) => void = () => undefined,
): Promise<pg.Client> {
  const client = new pg.Client(connection(url));
  // Also one that comes too late for its maker, who drops it unheard. Without a listener that would end the process.
  client.on("error", () => undefined);
  prepare(client);
  await client.connect();
  await client.query(begin);
  return client;
}

/** How this program connects with `pg`, wherever it does. */
export function connection(url: string): pg.ClientConfig {
  return {
    connectionString: checkingCertificates(url),
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    application_name: "gw",
    types: { getTypeParser },
  };
}

/** Notes that a process uses this build's SQL functions, so that no upgrade takes them for unused. Returns how many rows say so: 1. */
export async function noteFunctionsInUse(): Promise<number> {
  const sql = "UPDATE function_schema SET seen_at = now() WHERE name = $1";
  return (await sqlPool().query(sql, [opened().functions])).rowCount ?? 0;
}

// `pg` takes these modes for verify-full already, but says in ten lines at every start that a later version will not.
function checkingCertificates(url: string): string {
  if (/[?&]uselibpqcompat=true/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
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
