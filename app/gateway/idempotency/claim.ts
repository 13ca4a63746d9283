import { db } from "~/db.server";
import * as accounting from "~/domain/accounting/index.server";
import type { Settlement } from "~/domain/accounting/shared";
import { keepAnswer, releaseKey } from "~/domain/idempotency/index.server";
import type { ClaimRequest, StoredAnswer } from "~/domain/idempotency/shared";
import { log } from "~/log.server";
import { withTimeout } from "~/with-timeout";
import type { ClientSink } from "../call/live-stream";
import type { Usage } from "../canonical/usage";

/** Longer answers are not kept; a repetition is told so. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
/** How long the database may take to keep an answer: the client and the booking wait for it. */
const ANSWERED_WITHIN_MS = 2_000;

/** An Idempotency-Key in this call's hands, from before its hold until its answer is stored or the key is given back. */
export class Claim {
  readonly #claim: ClaimRequest;
  #answer: ((usage: Usage) => StoredAnswer) | null = null;
  #pieces: Buffer[] | null = [];
  #bytes = 0;
  #isOver = false;

  constructor(claim: ClaimRequest) {
    this.#claim = claim;
  }

  /** Notes a whole answer, as it will be once its usage is known. */
  answeredWhole(headers: Record<string, string>, bodyWith: (usage: Usage) => Buffer): void {
    this.#answer = (usage) => {
      const body = bodyWith(usage);
      if (body.length > MAX_KEPT_BYTES) return { kind: "too_large" };
      return { kind: "given", stream: false, status: 200, headers, ...encoded(body) };
    };
  }

  /** The client's sink of a streamed answer, with everything noted that goes into it. */
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

  /** Notes the end of a streamed answer; null when it broke and its format cannot say so. */
  answeredStream(headers: Record<string, string>, lastWith: (settled: Usage) => Buffer | null): void {
    this.#answer = (usage) => {
      const last = lastWith(usage);
      if (last === null) return { kind: "broken" };
      if (this.#pieces === null) return { kind: "too_large" };
      return { kind: "given", stream: true, status: 200, headers, ...encoded(Buffer.concat([...this.#pieces, last])) };
    };
  }

  /**
   * Stores the answer together with what is about to be booked for it, so that neither is lost without the other. Never
   * rejects: when the database cannot take it in time, a repetition will be told that the answer is lost.
   */
  async keep(settlement: Settlement, usage: Usage): Promise<void> {
    if (this.#answer === null || this.#isOver) return;
    this.#isOver = true;
    try {
      const line = accounting.writeSettlementLine(settlement).trimEnd();
      await withTimeout(keepAnswer(db(), this.#claim, this.#answer(usage), line), ANSWERED_WITHIN_MS);
    } catch (problem) {
      log.warn(
        { err: problem, call: this.#claim.callId },
        "the answer to a request with an Idempotency-Key is not kept",
      );
    }
  }

  /** The outcome is not known: the key stays with this call until its hold is resolved. */
  leave(): void {
    this.#isOver = true;
  }

  /** Gives the key back unless the call was answered. Never rejects. */
  async release(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await releaseKey(db(), this.#claim).catch((problem) => {
      log.warn({ err: problem, call: this.#claim.callId }, "an Idempotency-Key could not be given back");
    });
  }
}

/** As text where it is one, which is smaller and readable once it is opened. */
function encoded(body: Buffer): { body: string; encoding: "utf8" | "base64" } {
  const text = body.toString("utf8");
  return Buffer.from(text, "utf8").equals(body)
    ? { body: text, encoding: "utf8" }
    : { body: body.toString("base64"), encoding: "base64" };
}
