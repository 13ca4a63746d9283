import { db } from "~/db.server";
import { recordRejections } from "~/domain/metering/index.server";
import type { NewRejection } from "~/domain/metering/shared";
import type { AppError } from "~/errors/app-error";
import { log } from "~/log.server";
import type { Known } from "./log-call";

/** Refusals wait so long for company before they are written. */
const WRITE_EVERY_MS = 1_000;
/** What is more than this between two writes is counted and dropped: a client that hammers must cost nothing. */
const MAX_WAITING = 500;
const MAX_WAITING_OF_A_KEY = 20;

let waiting: NewRejection[] = [];
let waitingByKey = new Map<number, number>();
let dropped = 0;
let timer: NodeJS.Timeout | null = null;

/** Notes in memory that a request of a known key was refused before any supplier was called. */
export function recordRejection({ call, caller, inference }: Known, refused: AppError): void {
  if (caller === null) return;
  const ofKey = waitingByKey.get(caller.keyId) ?? 0;
  if (ofKey >= MAX_WAITING_OF_A_KEY || waiting.length >= MAX_WAITING) {
    dropped += 1;
    return;
  }
  waitingByKey.set(caller.keyId, ofKey + 1);
  waiting.push({
    at: new Date(),
    keyId: caller.keyId,
    organisationId: caller.organisationId,
    requestId: call.id,
    endpoint: call.endpoint,
    model: inference?.requestedModel ?? "",
    code: refused.code,
    status: refused.status,
    param: refused.param,
    humanMessage: refused.humanMessage,
    retryAfterSeconds: refused.retryAfterSeconds,
    scope: scopeOf(refused),
    walletId: scopeOf(refused) === "wallet" ? caller.walletId : null,
    details: scopeOf(refused) === null ? null : refused.details,
  });
  timer ??= setTimeout(() => void flushRejections(), WRITE_EVERY_MS).unref();
}

const scopeOf = ({ code, details }: AppError): string | null =>
  (code === "budget_exceeded" || code === "billing_limit_reached") && typeof details?.scope === "string"
    ? details.scope
    : null;

/** Writes what waits; never rejects. A database that does not take it loses it: refusals are told to clients, these are notes. */
export async function flushRejections(): Promise<void> {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  const [batch, lost] = [waiting, dropped];
  waiting = [];
  waitingByKey = new Map();
  dropped = 0;
  if (lost > 0) log.info({ dropped: lost }, "refusals were not remembered one by one");
  if (batch.length === 0) return;
  try {
    await recordRejections(db(), batch);
  } catch (problem) {
    log.warn({ err: problem, refusals: batch.length }, "refusals could not be remembered");
  }
}
