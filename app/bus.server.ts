import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { type Db, isEmbedded, newSqlClient, db as rootDb, sqlPool, transactionLimits } from "./db.server";
import type { PrismaClient } from "./generated/prisma/client";
import { log } from "./log.server";
import { withTimeout } from "./with-timeout";
import { isConflict } from "./write-conflict";

/** What other parts of the program keep copies of: keys, the catalogue, suppliers' tokens, whether budgets exist; the outbox; and jobs that somebody wants run. */
export const TOPICS = ["keys", "catalogue", "credentials", "budgets", "mail", "jobs"] as const;
export type Topic = (typeof TOPICS)[number];
/** Called with the id of what has changed; without one, everything may have. Must not throw and is not waited for. */
export type Listener = (id: string | undefined) => void;

const CHANNEL = "gw_bus";
const RECONNECT_FIRST_MS = 100;
const RECONNECT_MAX_MS = 2_000;
const ANSWER_WITHIN_MS = 2_500;
const MAX_TRIES = 6;
const FIRST_PAUSE_MS = 8;

type BusEvent = { topic: Topic; id: string | undefined };

/** Tells this process's own notifications from those of others. */
const origin = Math.random().toString(36).slice(2);
const listeners = new Map<Topic, Set<Listener>>();
const undelivered = new WeakMap<object, BusEvent[]>();
let connection: pg.Client | null = null;
/** What waits for this process's own call to come back. */
let echo: { call: string; heard: () => void } | null = null;
let calls = 0;
let running = false;
let reconnectTimer: NodeJS.Timeout | undefined;

/**
 * Says in every process that something has changed, once the change is committed. `db` is the writer's transaction.
 *
 * On PostgreSQL this is a NOTIFY inside that transaction. This process hears it at once, not by way of the server: in a
 * transaction of `inTransaction` right after the commit, else right away. On the embedded database there is only this
 * process, and a listener that reads again waits for the open transaction, because all connections share one session.
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
 * Runs `work` in one transaction and, after its commit, tells this process what was published in it. Inside another
 * transaction it becomes part of that one. A transaction that the database undoes because of others at the same moment (a
 * deadlock, a serialisation failure) begins anew, a few times, so `work` does nothing but what the transaction undoes: what
 * concerns the world outside of it comes after it.
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
 * Whether events of other processes arrive. While they do not, whoever keeps copies must look again soon; when
 * they do again, every listener is called for everything.
 */
export const isListening = (): boolean => connection !== null || (running && isEmbedded());

/** Starts to listen, on a connection of its own that is replaced whenever it breaks. Nothing to do on the embedded database. */
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
    opened.on("error", (problem) => lose(opened, problem));
    opened.on("end", () => lose(opened));
    opened.on("notification", ({ payload }) => receive(payload ?? ""));
    await opened.query(`LISTEN ${CHANNEL}`);
    if (!(await hearsItself()))
      throw new Error("notifications do not arrive: is there a pooler in front of the database?");
    if (!running) return void (await opened.end());
    connection = opened;
    // Whatever was published before this moment has been missed.
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

function lose(client: pg.Client, problem?: unknown): void {
  if (client !== connection) return;
  connection = null;
  log.warn({ err: problem }, "the connection for announcements was lost");
  client.end().catch(() => undefined);
  reconnectIn(RECONNECT_FIRST_MS);
}

/**
 * Asks the connection whether it lives, and whether notifications still arrive on it, and replaces it if not: one that has silently died
 * would never say so, and neither would a pooler that has come between. Returns how many it replaced.
 */
export async function checkBus(): Promise<number> {
  const asked = connection;
  if (asked === null) return 0;
  try {
    await withTimeout(asked.query("SELECT 1"), ANSWER_WITHIN_MS);
  } catch (error) {
    lose(asked, error);
    return 1;
  }
  // What cannot be sent, because all other connections are busy, says nothing about this one.
  if (await hearsItself().catch(() => true)) return 0;
  lose(asked, new Error("notifications do not arrive"));
  return 1;
}

/**
 * Notifies this process by way of the server, from another connection: whether that arrives.
 * @throws when it cannot even be sent
 */
async function hearsItself(): Promise<boolean> {
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
