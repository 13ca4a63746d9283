import { db } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import type { TokenEvent } from "./shared";
import { type CountedEvent, insertEvents } from "./store";

const FLUSH_AFTER_MS = 500;
/** Maximum number of waiting events; while the database is unavailable, the oldest are dropped. */
const MAX_WAITING = 2_000;
/** Maximum length of external texts. */
const MAX_CHARACTERS = 300;

let waiting = new Map<string, CountedEvent>();
let timer: NodeJS.Timeout | null = null;
let flushing: Promise<void> = Promise.resolve();

/**
 * Records an event of a credential for the event log; written within a second. Equal events that wait become one row
 * with a count. Never throws, and need not be awaited.
 */
export function recordTokenEvent(event: TokenEvent): void {
  const { provider, keyName, kind, source, errorKind = null, detail = null } = event;
  const key = [provider, keyName, kind, source, errorKind].join("\n");
  const known = waiting.get(key);
  if (known !== undefined) known.count += 1;
  else {
    const cut = detail?.slice(0, MAX_CHARACTERS) ?? null;
    waiting.set(key, { provider, keyName, kind, source, errorKind, detail: cut, at: new Date(), count: 1 });
  }
  if (waiting.size > MAX_WAITING) waiting.delete(waiting.keys().next().value as string);
  timer ??= setTimeout(() => void flushTokenEvents(), FLUSH_AFTER_MS).unref();
}

/** Writes the waiting events. Resolves when they are in the database, or when the database has rejected them. */
export function flushTokenEvents(): Promise<void> {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  const events = [...waiting.values()];
  waiting = new Map();
  if (events.length === 0) return flushing;
  flushing = flushing.then(() => write(events));
  return flushing;
}

async function write(events: readonly CountedEvent[]): Promise<void> {
  try {
    await insertEvents(db(), events);
  } catch (error) {
    log.warn({ err: error, events: events.length }, "events of credentials could not be written");
  }
}
