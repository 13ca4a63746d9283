import { db } from "~/connection/db.server";
import { recordRejections } from "~/domain/request-log/index.server";
import { LATER_IDS, type NewRejection } from "~/domain/request-log/shared";
import type { AppError } from "~/errors/app-error";
import { log } from "~/observe/log.server";
import type { Known } from "./log-call";

/** Milliseconds that rejections are collected before they are written. */
const WRITE_EVERY_MS = 1_000;
/** A burst ends after this many milliseconds without a rejection, and at the end of its hour. */
const QUIET_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Maximum bursts per key with a model of their own; further models share bursts. */
const MAX_MODELS_OF_A_KEY = 20;
const MAX_BURSTS = 20_000;
const MAX_WRITTEN_AT_ONCE = 500;

/** Consecutive rejections of one key for one reason. One row, however many they are. */
type Burst = {
  first: NewRejection;
  lastAt: Date;
  /** Number of rejections that are not written yet. */
  waiting: number;
  /** Ids of the latest ones among them, without the burst's first. */
  laterIds: string[];
  state: "fresh" | "writing" | "written";
};

let bursts = new Map<string, Burst>();
let modelsByKey = new Map<number, number>();
let lost = 0;
let timer: NodeJS.Timeout | null = null;
let flushing: Promise<void> = Promise.resolve();

/**
 * Counts in memory that a request of a known key was rejected before any supplier was called. Every rejection counts,
 * at any rate. The database cost of a burst does not grow with its size. Only a crash of the process loses rejections,
 * those of the last second.
 */
export function recordRejection(known: Known, refused: AppError): void {
  if (known.caller === null) return;
  const at = new Date();
  const burst = burstOf(known, refused, at);
  if (burst === null) {
    lost += 1;
    return;
  }
  burst.waiting += 1;
  burst.lastAt = at;
  if (burst.first.requestId !== known.call.id) addLater(burst, [known.call.id]);
  wakeUp();
}

function burstOf({ call, caller, inference }: Known, refused: AppError, at: Date): Burst | null {
  const { keyId, organisationId, walletId } = caller!;
  const scope = scopeOf(refused);
  const model = inference?.requestedModel ?? "";
  const reason = [keyId, Math.floor(at.getTime() / HOUR_MS), refused.code, scope ?? ""].join(" ");
  const exact = `${reason} ${model}`;
  const place = bursts.has(exact) || (modelsByKey.get(keyId) ?? 0) < MAX_MODELS_OF_A_KEY ? exact : `${reason}\n`;
  const open = bursts.get(place);
  if (open !== undefined && !isOver(open, at)) return open;
  if (open === undefined && bursts.size >= MAX_BURSTS) return null;
  if (open === undefined) modelsByKey.set(keyId, (modelsByKey.get(keyId) ?? 0) + 1);
  const first: NewRejection = {
    at,
    keyId,
    organisationId,
    requestId: call.id,
    endpoint: call.endpoint,
    model,
    scope,
    code: refused.code,
    status: refused.status,
    param: refused.param,
    humanMessage: refused.humanMessage,
    retryAfterSeconds: refused.retryAfterSeconds,
    walletId: scope === "wallet" ? walletId : null,
    details: scope === null ? null : refused.details,
  };
  const burst: Burst = { first, lastAt: at, waiting: 0, laterIds: [], state: "fresh" };
  bursts.set(place, burst);
  return burst;
}

/** Only the latest ids stay, so that a burst of any size takes the same memory. */
function addLater(burst: Burst, ids: readonly string[]): void {
  burst.laterIds.push(...ids);
  if (burst.laterIds.length > LATER_IDS) burst.laterIds.splice(0, burst.laterIds.length - LATER_IDS);
}

const isOver = ({ lastAt, waiting, state }: Burst, at: Date) =>
  state === "written" && waiting === 0 && at.getTime() - lastAt.getTime() > QUIET_MS;

const scopeOf = ({ code, details }: AppError): string | null =>
  (code === "budget_exceeded" || code === "billing_limit_reached") && typeof details?.scope === "string"
    ? details.scope
    : null;

function wakeUp(): void {
  timer ??= setTimeout(() => void flushRejections(), WRITE_EVERY_MS).unref();
}

/** Writes the collected rejections. Never throws: what the database does not accept is written the next time. */
export function flushRejections(): Promise<void> {
  flushing = flushing.then(writeWaiting);
  return flushing;
}

async function writeWaiting(): Promise<void> {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  if (lost > 0) log.warn({ lost }, "refusals of too many keys at once were not counted");
  lost = 0;
  const waiting = [...bursts.values()].filter((burst) => burst.waiting > 0);
  for (let from = 0; from < waiting.length; from += MAX_WRITTEN_AT_ONCE)
    if (!(await write(waiting.slice(from, from + MAX_WRITTEN_AT_ONCE)))) break;
  evictEnded(new Date());
}

/** Returns whether the database accepted the batch. */
async function write(batch: readonly Burst[]): Promise<boolean> {
  const before = batch.map(({ first, lastAt, waiting, laterIds, state }) => ({
    first,
    lastAt,
    waiting,
    laterIds,
    state,
  }));
  for (const burst of batch) Object.assign(burst, { waiting: 0, laterIds: [], state: "writing" });
  try {
    await recordRejections(
      db(),
      before.map(({ first, lastAt, waiting, laterIds, state }) => ({
        ...first,
        lastAt,
        laterIds,
        times: waiting,
        isFirst: state === "fresh",
      })),
    );
    for (const burst of batch) burst.state = "written";
    return true;
  } catch (error) {
    log.warn({ err: error, bursts: batch.length }, "refusals could not be written and wait");
    for (const [index, burst] of batch.entries()) {
      const since = burst.laterIds;
      burst.waiting += before[index]!.waiting;
      burst.laterIds = [];
      addLater(burst, [...before[index]!.laterIds, ...since]);
      burst.state = before[index]!.state;
    }
    wakeUp();
    return false;
  }
}

/** Removes bursts that have ended; if memory is more than half full, all written ones. */
function evictEnded(at: Date): void {
  const isFull = bursts.size > MAX_BURSTS / 2;
  const retained = [...bursts].filter(
    ([, burst]) => burst.state !== "written" || burst.waiting > 0 || !(isFull || isOver(burst, at)),
  );
  bursts = new Map(retained);
  modelsByKey = new Map();
  for (const [, { first }] of retained) modelsByKey.set(first.keyId, (modelsByKey.get(first.keyId) ?? 0) + 1);
}
