import type { GuardrailHit, WebhookNote } from "~/domain/guardrails/shared";
import { apiError } from "~/errors/app-error";
import { headerOf, onClientAbort } from "~/http/server/connection";
import { beginTrace, type CallTrace } from "~/observe/tracing.server";
import { newCallId } from "~/values/call-id";
import type { InternalCall } from "./in-process";

let inFlight = 0;

/** Number of calls that are neither answered nor settled. */
export const callsInFlight = (): number => inFlight;

/** One request in flight: its identity, its clock, and whether its client is still connected. */
export class Call {
  /** Null until the id is first read. */
  #id: string | null;
  readonly startedAt: Date;
  readonly #startedMs = performance.now();
  /**
   * Maximum output tokens set by gw so that the call fits the available money; null if the client's own limit applies.
   */
  fittedOutputTokens: number | null = null;
  /** Optional fields that gw dropped because the supplier does not know them, by the client's names. */
  leftOut: readonly string[] = [];
  /** Guardrail matches in the request and in its answer. */
  readonly guardrailHits: GuardrailHit[] = [];
  /** Decisions of guardrail webhooks about the call. */
  readonly webhookNotes: WebhookNote[] = [];
  readonly request: Request;
  /** The client's own request id, echoed to the client and logged; null if it sent none that is valid in a header. */
  readonly clientRequestId: string | null;
  /** Endpoint name in logs, such as "chat/completions". */
  readonly endpoint: string;
  /** Set when gw itself makes the call for the owner of a key; null for calls of clients with a key's secret. */
  readonly inProcess: InternalCall | null;
  /** Spans of the call; null if it is not traced. */
  readonly trace: CallTrace | null;
  #gone = false;
  #onGone: (() => void) | null = null;
  readonly #stopListening: () => void;
  #closed = false;

  constructor(request: Request, endpoint = "", inProcess: InternalCall | null = null) {
    inFlight += 1;
    const deferred = inProcess?.deferred;
    this.#id = deferred?.callId ?? null;
    this.startedAt = deferred?.startedAt ?? new Date();
    this.request = request;
    this.endpoint = endpoint;
    this.inProcess = inProcess;
    this.clientRequestId = ownIdOf(request);
    // Deferred calls are not traced: each half is only part of one.
    this.trace = deferred === undefined ? beginTrace(this) : null;
    this.#stopListening = onClientAbort(request, () => {
      this.#gone = true;
      this.#onGone?.();
    });
  }

  /**
   * Identifies the hold and the usage row, and is the `x-request-id` for client and supplier. Created on first read;
   * stable from then on.
   */
  get id(): string {
    this.#id ??= newCallId();
    return this.#id;
  }

  /** Whether the id has been created. */
  get hasId(): boolean {
    return this.#id !== null;
  }

  /** Sets the id of a call that has none yet. @throws Error if it has one. */
  adoptId(id: string): void {
    if (this.#id !== null) throw new Error("a call has one id");
    this.#id = id;
  }

  /** Whether the client disconnected before its answer was complete. Polled by waiting stages. */
  get aborted(): boolean {
    return this.#gone;
  }

  get reason(): unknown {
    return apiError("request_rejected", { userMessage: "The client left before the request was dispatched." });
  }

  /** Whole milliseconds since the request arrived. */
  elapsedMs(): number {
    return Math.round(performance.now() - this.#startedMs);
  }

  /**
   * Sets the action for a disconnect of the client, replacing the previous one. Runs it at once if the client has
   * already left.
   */
  onAbort(action: (() => void) | null): void {
    this.#onGone = action;
    if (this.#gone && action !== null) action();
  }

  /** Ends the call and stops listening to the connection. May be repeated. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    inFlight -= 1;
    this.#onGone = null;
    this.#stopListening();
  }
}

function ownIdOf(request: Request): string | null {
  const requestId = headerOf(request, "x-client-request-id") ?? headerOf(request, "x-request-id");
  return requestId !== null && OWN_ID.test(requestId) ? requestId : null;
}

const OWN_ID = /^[\x21-\x7e]{1,128}$/;
