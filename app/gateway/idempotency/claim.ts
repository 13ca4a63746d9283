import { db } from "~/connection/db.server";
import * as accounting from "~/domain/accounting/index.server";
import type { Settlement } from "~/domain/accounting/shared";
import { releaseKey, storeAnswer } from "~/domain/idempotency/index.server";
import type { ClaimRequest, StoredAnswer } from "~/domain/idempotency/shared";
import { withTimeout } from "~/network/with-timeout";
import { log } from "~/observe/log.server";
import type { ClientSink } from "../call/live-stream";
import type { Usage } from "../canonical/usage";

/** Maximum size of a stored answer. For a longer one, a repeated request gets an error. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
/** Maximum milliseconds to store an answer, because the client and the booking wait for it. */
const ANSWERED_WITHIN_MS = 2_000;

/** An Idempotency-Key claimed by this call, from before its hold until its answer is stored or the key is released. */
export class Claim {
  readonly #claim: ClaimRequest;
  #answer: ((usage: Usage) => StoredAnswer) | null = null;
  #pieces: Buffer[] | null = [];
  #bytes = 0;
  #isOver = false;

  constructor(claim: ClaimRequest) {
    this.#claim = claim;
  }

  /** Records a whole answer, to be completed with its settled usage. */
  answeredWhole(headers: Record<string, string>, bodyWith: (usage: Usage) => Buffer): void {
    this.#answer = (usage) => {
      const body = bodyWith(usage);
      if (body.length > MAX_KEPT_BYTES) return { kind: "too_large" };
      return { kind: "given", stream: false, status: 200, headers, ...encoded(body) };
    };
  }

  /** Wraps the client's sink of a streamed answer and records everything written to it. */
  recording(sink: ClientSink): ClientSink {
    return {
      write: (bytes) => {
        this.#bytes += bytes.length;
        if (this.#bytes > MAX_KEPT_BYTES) this.#pieces = null;
        else this.#pieces?.push(Buffer.from(bytes));
        return sink.write(bytes);
      },
      onDrain: (listener) => sink.onDrain(listener),
    };
  }

  /**
   * Records the end of a streamed answer. `lastWith` returns null if the stream broke and its format has no error
   * event.
   */
  answeredStream(headers: Record<string, string>, lastWith: (settled: Usage) => Buffer | null): void {
    this.#answer = (usage) => {
      const last = lastWith(usage);
      if (last === null) return { kind: "broken" };
      if (this.#pieces === null) return { kind: "too_large" };
      return { kind: "given", stream: true, status: 200, headers, ...encoded(Buffer.concat([...this.#pieces, last])) };
    };
  }

  /**
   * Stores the answer together with its settlement, before the booking, so that neither is lost without the other.
   * Never rejects: if the database does not store it in time, a repeated request gets the error that the answer is
   * lost. See docs/decisions/012.
   */
  async keep(settlement: Settlement, usage: Usage): Promise<void> {
    if (this.#answer === null || this.#isOver) return;
    this.#isOver = true;
    try {
      const line = accounting.writeSettlementLine(settlement).trimEnd();
      await withTimeout(storeAnswer(db(), this.#claim, this.#answer(usage), line), ANSWERED_WITHIN_MS);
    } catch (error) {
      log.warn({ err: error, call: this.#claim.callId }, "the answer to a request with an Idempotency-Key is not kept");
    }
  }

  /** Keeps the key claimed until the call's hold is resolved, because the outcome is unknown. */
  leave(): void {
    this.#isOver = true;
  }

  /** Releases the key unless the call was answered. Never rejects. */
  async release(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await releaseKey(db(), this.#claim).catch((error) => {
      log.warn({ err: error, call: this.#claim.callId }, "an Idempotency-Key could not be given back");
    });
  }
}

/** Encodes a body as text if it is valid UTF-8, which is smaller than base64. */
function encoded(body: Buffer): { body: string; encoding: "utf8" | "base64" } {
  const text = body.toString("utf8");
  return Buffer.from(text, "utf8").equals(body)
    ? { body: text, encoding: "utf8" }
    : { body: body.toString("base64"), encoding: "base64" };
}
