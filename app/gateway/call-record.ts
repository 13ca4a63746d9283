import type { AttemptRecord } from "~/domain/accounting/shared";
import type { Caller } from "~/domain/keys/shared";
import { refusal } from "~/errors/app-error";
import { onClientGone } from "~/http/connection";
import { newCallId } from "./call-id";
import type { Ask } from "./canonical/ask";
import type { Claim } from "./idempotency";
import type { RoutingTrace } from "./route/trace";

let underWay = 0;

/** How many calls are neither answered nor settled yet. */
export const callsUnderWay = (): number => underWay;

/** One request on its way through the stages: what they learn about it, for settlement and for the log line. */
export class Call {
  /** The hold's identity, the usage row's, and the `x-request-id` of client and supplier. */
  readonly id = newCallId();
  readonly startedAt = new Date();
  readonly #startedMs = performance.now();
  readonly request: Request;
  /** The URL's name in logs, such as "chat/completions". */
  readonly endpoint: string;
  readonly attempts: AttemptRecord[] = [];
  caller: Caller | null = null;
  ask: Ask | null = null;
  /** Why it goes where it goes; null until it is routed. */
  routing: RoutingTrace | null = null;
  /** The Idempotency-Key in its hands; null when the request has none. */
  claim: Claim | null = null;
  firstByteMs: number | null = null;
  /** The client has left before its answer was complete. */
  gone = false;
  #onGone: (() => void) | null = null;
  readonly #stopListening: () => void;

  #closed = false;

  constructor(request: Request, endpoint = "") {
    underWay += 1;
    this.request = request;
    this.endpoint = endpoint;
    this.#stopListening = onClientGone(request, () => {
      this.gone = true;
      this.#onGone?.();
    });
  }

  /** For a stage that waits: whether it need not wait any more. Read now and then; costs nothing for calls that never wait. */
  get aborted(): boolean {
    return this.gone;
  }

  get reason(): unknown {
    return refusal("request_rejected", { human: "The client left before the request was dispatched." });
  }

  /** Whole milliseconds since the request came in. */
  elapsedMs(): number {
    return Math.round(performance.now() - this.#startedMs);
  }

  /** What to do when the client leaves: one action at a time, the newest one. Runs at once if it has left already. */
  whenGone(action: (() => void) | null): void {
    this.#onGone = action;
    if (this.gone && action !== null) action();
  }

  /** The call is over: nothing is listened to any more. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.ask?.release?.();
    underWay -= 1;
    this.#onGone = null;
    this.#stopListening();
  }
}
