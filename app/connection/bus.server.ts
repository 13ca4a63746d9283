import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { PrismaClient } from "../generated/prisma/client";
import { withTimeout } from "../network/with-timeout";
import { log } from "../observe/log.server";
import { type Db, isEmbedded, newSqlClient, db as rootDb, sqlPool, transactionLimits } from "./db.server";
import { isConflict } from "./write-conflict";

/**
 * Topics of events: cached data (keys, the catalogue, suppliers' credentials, the existence of budgets), the outbox of
 * emails, and requested jobs.
 */
export const TOPICS = ["keys", "catalogue", "credentials", "budgets", "mail", "jobs"] as const;
export type Topic = (typeof TOPICS)[number];
/**
 * Called with the id of the changed object; without an id, any object may have changed. Must not throw; is not awaited.
 */
export type Listener = (id: string | undefined) => void;

const CHANNEL = "gw_bus";
const RECONNECT_FIRST_MS = 100;
const RECONNECT_MAX_MS = 2_000;
const ANSWER_WITHIN_MS = 2_500;
const MAX_TRIES = 6;
const FIRST_PAUSE_MS = 8;

type BusEvent = { topic: Topic; id: string | undefined };

/** Identifies this process's own notifications. */
const origin = Math.random().toString(36).slice(2);
const listeners = new Map<Topic, Set<Listener>>();
const undelivered = new WeakMap<object, BusEvent[]>();
let connection: pg.Client | null = null;
/** The pending echo: a notification that this process sent to itself. */
let echo: { call: string; heard: () => void } | null = null;
let calls = 0;
let running = false;
let reconnectTimer: NodeJS.Timeout | undefined;

/**
 * Publishes a change to every process, once it is committed. `db` is the writer's transaction.
 *
 * On PostgreSQL this is a NOTIFY in that transaction. This process delivers the event to itself without the server:
 * right after the commit in a transaction of `inTransaction`, else at once. With the embedded database there is only
 * this process. A listener that reads again then waits for the open transaction, because all connections share one
 * session.
 */
export async function publish(db: Db, topic: Topic, id?: string): Promise<void> {
  const queue = undelivered.get(db);
  const deliveredHere = queue !== undefined || db === rootDb();
  if (!isEmbedded()) {
    const payload = `${deliveredHere ? origin : ""} ${topic} ${id ?? ""}`;
    await db.$executeRaw`SELECT pg_notify(${CHANNEL}, ${payload})`;
  }
  if (queue !== undefined) queue.push({ topic, id });
  else deliver({ topic, id });
}

/**
 * Runs `work` in one transaction, and delivers its published events to this process after the commit. Inside another
 * transaction it becomes part of that one. Retries a few times when the database rolls the transaction back because of
 * concurrent ones (a deadlock, a serialisation failure). So `work` must have no effects outside the transaction; do
 * these afterwards.
 */
export async function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  if (db !== rootDb()) return work(db);
  for (let tries = 1; ; tries += 1) {
    try {
      return await once(db as PrismaClient, work);
    } catch (error) {
      if (tries === MAX_TRIES || !isConflict(error)) throw error;
      log.warn({ err: error, tries }, "a transaction was undone because of others and begins anew");
      // Random pauses keep transactions that conflicted from starting together again.
      await pause(FIRST_PAUSE_MS * 2 ** tries * Math.random());
    }
  }
}

async function once<T>(db: PrismaClient, work: (tx: Db) => Promise<T>): Promise<T> {
  const events: BusEvent[] = [];
  const result = await db.$transaction(async (tx) => {
    undelivered.set(tx, events);
    return work(tx);
  }, transactionLimits());
  for (const each of events) deliver(each);
  return result;
}

/** Calls `listener` on every event of the topic. Returns a function that stops it. */
export function subscribe(topic: Topic, listener: Listener): () => void {
  const those = listeners.get(topic) ?? new Set();
  listeners.set(topic, those.add(listener));
  return () => those.delete(listener);
}

/**
 * Whether events of other processes arrive. While they do not, caches must use short lifetimes. When they arrive again,
 * every listener is called without an id.
 */
export const isListening = (): boolean => connection !== null || (running && isEmbedded());

/**
 * Starts listening on a connection of its own, which is replaced when it breaks. No effect with the embedded database.
 */
export async function startBus(): Promise<void> {
  running = true;
  if (isEmbedded()) return;
  await connect(RECONNECT_FIRST_MS);
}

/** Stops listening and closes the connection. Safe to repeat. */
export async function stopBus(): Promise<void> {
  running = false;
  clearTimeout(reconnectTimer);
  const closing = connection;
  connection = null;
  await closing?.end();
}

async function connect(pauseMs: number): Promise<void> {
  let client: pg.Client | null = null;
  try {
    client = await newSqlClient();
    const opened = client;
    opened.on("error", (error) => lose(opened, error));
    opened.on("end", () => lose(opened));
    opened.on("notification", ({ payload }) => receive(payload ?? ""));
    await opened.query(`LISTEN ${CHANNEL}`);
    if (!(await receivesOwnEvents()))
      throw new Error("notifications do not arrive: is there a pooler in front of the database?");
    if (!running) return void (await opened.end());
    connection = opened;
    // Events before this moment were missed.
    for (const topic of TOPICS) deliver({ topic, id: undefined });
  } catch (error) {
    client?.end().catch(() => undefined);
    log.warn({ err: error }, "cannot listen for announcements; trying again");
    reconnectIn(pauseMs);
  }
}

function reconnectIn(pauseMs: number): void {
  if (!running) return;
  clearTimeout(reconnectTimer);
  reconnectTimer = setTimeout(() => void connect(Math.min(pauseMs * 2, RECONNECT_MAX_MS)), pauseMs).unref();
}

function lose(client: pg.Client, error?: unknown): void {
  if (client !== connection) return;
  connection = null;
  log.warn({ err: error }, "the connection for announcements was lost");
  client.end().catch(() => undefined);
  reconnectIn(RECONNECT_FIRST_MS);
}

/**
 * Checks that the connection works and that notifications arrive on it, and replaces it otherwise: a dead connection,
 * or a pooler that drops notifications, reports no error. Returns the number of replaced connections.
 */
export async function checkBus(): Promise<number> {
  const current = connection;
  if (current === null) return 0;
  try {
    await withTimeout(current.query("SELECT 1"), ANSWER_WITHIN_MS);
  } catch (error) {
    lose(current, error);
    return 1;
  }
  // A notification that could not be sent, because all other connections are busy, proves nothing about this
  // connection.
  if (await receivesOwnEvents().catch(() => true)) return 0;
  lose(current, new Error("notifications do not arrive"));
  return 1;
}

/**
 * Sends a notification to this process through the server, from another connection. Returns whether it arrives.
 * @throws when the notification cannot be sent
 */
async function receivesOwnEvents(): Promise<boolean> {
  calls += 1;
  const call = `${origin} echo ${calls}`;
  const heard = new Promise<true>((resolve) => {
    echo = { call, heard: () => resolve(true) };
  });
  await withTimeout(sqlPool().query("SELECT pg_notify($1, $2)", [CHANNEL, call]), ANSWER_WITHIN_MS);
  return withTimeout(heard, ANSWER_WITHIN_MS).catch(() => false);
}

function receive(payload: string): void {
  if (payload === echo?.call) echo.heard();
  const [from, topic, id] = payload.split(" ") as [string, Topic, string];
  if (from !== origin && TOPICS.includes(topic)) deliver({ topic, id: id === "" ? undefined : id });
}

function deliver({ topic, id }: BusEvent): void {
  for (const listener of listeners.get(topic) ?? []) {
    try {
      listener(id);
    } catch (error) {
      log.error({ err: error, topic }, "a listener for announcements failed");
    }
  }
}
