import { toAppError } from "~/errors/app-error";
import { connectionOf } from "~/http/connection";
import type { Call } from "../call-record";
import type { InferenceRequest } from "../canonical/inference-request";
import type { Dialect } from "../dialects/dialect";
import { type ClientEnd, openClientEnd } from "./client-sink";
import { COMMENT, HEARTBEAT_AFTER_MS } from "./open-streams";

/** Server-sent events, which nothing on the way may hold back, change or fill up. */
export const EVENT_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

const TICK_MS = 1_000;

const clients = new WeakMap<Call, WaitingClient>();
const waiting = new Set<WaitingClient>();
let ticker: NodeJS.Timeout | null = null;

/**
 * A client that waits for the first event of its stream. Proxies give up on a connection that says nothing, so that after fifteen
 * seconds its stream begins with a sign of life, and has one every fifteen seconds from then on. Which supplier answers is open as
 * before; what fails from there on is told inside the stream.
 */
class WaitingClient {
  readonly #call: Call;
  readonly #dialect: Dialect;
  #lastAt = performance.now();
  #end: ClientEnd | null = null;

  constructor(call: Call, dialect: Dialect) {
    this.#call = call;
    this.#dialect = dialect;
  }

  /** The answer begins, or there is none: nothing is sent any more. The client's end, where it was opened. */
  over(): ClientEnd | null {
    waiting.delete(this);
    return this.#end;
  }

  /** Tells a client whose stream has begun what it would have been told instead of one; null: it has not begun. */
  fail(problem: unknown): Response | null {
    const end = this.over();
    if (end === null) return null;
    const { code, type, message, humanMessage, supplierCode } = toAppError(problem);
    const told = { code: supplierCode ?? code, type, message, humanMessage };
    const event = this.#dialect.errorEvent(supplierCode === null ? told : { ...told, gatewayCode: code });
    if (event === null) end.destroy();
    else end.end(event);
    return end.response;
  }

  beat(now: number): void {
    if (now - this.#lastAt < HEARTBEAT_AFTER_MS) return;
    this.#lastAt = now;
    if (this.#call.aborted) return;
    this.#end ??= this.#open();
    this.#end.sink.write(this.#dialect.heartbeat ?? COMMENT);
  }

  #open(): ClientEnd {
    const { id, clientRequestId, request } = this.#call;
    const headers: Record<string, string> = { ...EVENT_HEADERS, "x-request-id": id, "request-id": id };
    if (clientRequestId !== null) headers["x-client-request-id"] = clientRequestId;
    return openClientEnd(request, headers, () => undefined);
  }
}

/** Keeps a client's connection alive until its stream begins; nothing for one that gets no events, or not over a connection of gw's own. */
export function keepWaiting(call: Call, inference: Pick<InferenceRequest, "stream">, dialect: Dialect): void {
  if (!inference.stream || dialect.streamHeaders !== undefined || connectionOf(call.request) === undefined) return;
  const client = new WaitingClient(call, dialect);
  clients.set(call, client);
  waiting.add(client);
  if (ticker !== null) return;
  ticker = setInterval(tick, TICK_MS);
  ticker.unref();
}

/** The client of a call that waits, or has waited, for the first event of a stream. */
export const waitingClientOf = (call: Call): WaitingClient | undefined => clients.get(call);

function tick(): void {
  const now = performance.now();
  for (const client of waiting) client.beat(now);
  if (waiting.size > 0 || ticker === null) return;
  clearInterval(ticker);
  ticker = null;
}
