import { toAppError } from "~/errors/app-error";
import { connectionOf } from "~/http/server/connection";
import type { Call } from "../call-record";
import type { InferenceRequest } from "../canonical/inference-request";
import type { Dialect } from "../dialects/dialect";
import { type ClientEnd, openClientEnd } from "./client-sink";
import { HEARTBEAT_AFTER_MS, heartbeatFor } from "./open-streams";

/** Headers of server-sent events; proxies must not buffer, transform or cache them. */
export const EVENT_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

const TICK_MS = 1_000;

const waiting = new Map<Call, WaitingClient>();
/** Clients whose stream began with a heartbeat: few, and only while their calls last. */
const waitingClients = new WeakMap<Call, WaitingClient>();
let ticker: NodeJS.Timeout | null = null;

/**
 * A client that waits for the first event of its stream. Proxies close silent connections, so after 15 seconds the
 * stream begins with a heartbeat, repeated every 15 seconds. The choice of the supplier remains open. Errors from then
 * on are sent inside the stream.
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

  /**
   * Stops the heartbeats, because the answer begins or there is none. Returns the client's end of the stream; null if
   * it was not opened.
   */
  over(): ClientEnd | null {
    waiting.delete(this.#call);
    return this.#end;
  }

  /** Sends the error as an event if the stream has begun and returns its response; null if it has not begun. */
  fail(error: unknown): Response | null {
    const end = this.over();
    if (end === null) return null;
    const { code, type, message, humanMessage, supplierCode } = toAppError(error);
    const details = { code: supplierCode ?? code, type, message, humanMessage };
    const event = this.#dialect.errorEvent(supplierCode === null ? details : { ...details, gatewayCode: code });
    if (event === null) end.destroy();
    else end.end(event);
    return end.response;
  }

  beat(now: number): void {
    if (now - this.#lastAt < HEARTBEAT_AFTER_MS) return;
    this.#lastAt = now;
    if (this.#call.aborted) return;
    this.#end ??= this.#begin();
    this.#end.sink.write(heartbeatFor(this.#call.request, this.#dialect));
  }

  #begin(): ClientEnd {
    waitingClients.set(this.#call, this);
    const { id, clientRequestId, request } = this.#call;
    const headers: Record<string, string> = { ...EVENT_HEADERS, "x-request-id": id, "request-id": id };
    if (clientRequestId !== null) headers["x-client-request-id"] = clientRequestId;
    return openClientEnd(request, headers, () => undefined);
  }
}

/**
 * Sends heartbeats to a client until its stream begins. Without effect if the client gets no events, or is not
 * connected to gw's own server.
 */
export function keepWaiting(call: Call, inference: Pick<InferenceRequest, "stream">, dialect: Dialect): void {
  if (!inference.stream || dialect.streamHeaders !== undefined || connectionOf(call.request) === undefined) return;
  waiting.set(call, new WaitingClient(call, dialect));
  if (ticker !== null) return;
  ticker = setInterval(tick, TICK_MS);
  ticker.unref();
}

/** Returns the client of a call that waits, or has waited, for the first event of a stream. */
export const waitingClientOf = (call: Call): WaitingClient | undefined => waiting.get(call) ?? waitingClients.get(call);

function tick(): void {
  const now = performance.now();
  for (const client of waiting.values()) client.beat(now);
  if (waiting.size > 0 || ticker === null) return;
  clearInterval(ticker);
  ticker = null;
}
