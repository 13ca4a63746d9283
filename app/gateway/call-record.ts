import { newCallId } from "~/call-id";
import type { GuardrailHit, WebhookNote } from "~/domain/guardrails/shared";
import { apiError } from "~/errors/app-error";
import { headerOf, onClientAbort } from "~/http/connection";
import { beginTrace, type CallTrace } from "~/tracing.server";
import type { InProcess } from "./in-process";

let inFlight = 0;

/** How many calls are neither answered nor settled yet. */
export const callsInFlight = (): number => inFlight;

/** One request while it is in flight: its identity, its clock, and whether its client is still there. */
export class Call {
  /** Null as long as nobody has asked for it. */
  #id: string | null;
  readonly startedAt: Date;
  readonly #startedMs = performance.now();
  /** The ceiling of output that gw set so that the call fits what is left of its money; null: the client's own. */
  fittedOutputTokens: number | null = null;
  /** Fields that the request could do without and the supplier does not know, by the client's names. */
  leftOut: readonly string[] = [];
  /** What guardrails have found in it and in its answer. */
  readonly guardrailHits: GuardrailHit[] = [];
  /** What guardrail webhooks have decided about it. */
  readonly webhookNotes: WebhookNote[] = [];
  readonly request: Request;
  /** The client's own id of the request, which it gets back and which the log has; null: it sent none that fits a header. */
  readonly clientRequestId: string | null;
  /** The URL's name in logs, such as "chat/completions". */
  readonly endpoint: string;
  /** The part of gw that makes the call for somebody; null: a client with a key's secret does. */
  readonly inProcess: InProcess | null;
  /** Its spans; null: nothing is traced. */
  readonly trace: CallTrace | null;
  #gone = false;
  #onGone: (() => void) | null = null;
  readonly #stopListening: () => void;
  #closed = false;

  constructor(request: Request, endpoint = "", inProcess: InProcess | null = null) {
    inFlight += 1;
    const deferred = inProcess?.deferred;
    this.#id = deferred?.callId ?? null;
    this.startedAt = deferred?.startedAt ?? new Date();
    this.request = request;
    this.endpoint = endpoint;
    this.inProcess = inProcess;
    this.clientRequestId = ownIdOf(request);
    // Neither half of a deferred call is the call.
    this.trace = deferred === undefined ? beginTrace(this) : null;
    this.#stopListening = onClientAbort(request, () => {
      this.#gone = true;
      this.#onGone?.();
    });
  }

  /** The hold's identity, the usage row's, and the `x-request-id` of client and supplier. Once it has been asked for, it stays. */
  get id(): string {
    this.#id ??= newCallId();
    return this.#id;
  }

  /** Whether anybody knows its id. */
  get hasId(): boolean {
    return this.#id !== null;
  }

  /** Gives an id to a call that has none. */
  adoptId(id: string): void {
    if (this.#id !== null) throw new Error("a call has one id");
    this.#id = id;
  }

  /** The client has left before its answer was complete. Read now and then by a stage that waits; costs nothing for others. */
  get aborted(): boolean {
    return this.#gone;
  }

  get reason(): unknown {
    return apiError("request_rejected", { userMessage: "The client left before the request was dispatched." });
  }

  /** Whole milliseconds since the request came in. */
  elapsedMs(): number {
    return Math.round(performance.now() - this.#startedMs);
  }

  /** What to do when the client leaves: one action at a time, the newest one. Runs at once if it has left already. */
  onAbort(action: (() => void) | null): void {
    this.#onGone = action;
    if (this.#gone && action !== null) action();
  }

  /** The call is over: nothing is listened to any more. May be repeated. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    inFlight -= 1;
    this.#onGone = null;
    this.#stopListening();
  }
}

function ownIdOf(request: Request): string | null {
  const given = headerOf(request, "x-client-request-id") ?? headerOf(request, "x-request-id");
  return given !== null && OWN_ID.test(given) ? given : null;
}

const OWN_ID = /^[\x21-\x7e]{1,128}$/;
