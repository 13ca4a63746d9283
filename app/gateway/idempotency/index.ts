import { createHash } from "node:crypto";
import { db } from "~/db.server";
import * as accounting from "~/domain/accounting/index.server";
import type { Settlement } from "~/domain/accounting/shared";
import { claimKey, keepAnswer, releaseKey } from "~/domain/idempotency/index.server";
import type { ClaimRequest, StoredAnswer } from "~/domain/idempotency/shared";
import type { Caller } from "~/domain/keys/shared";
import { refusal } from "~/errors/app-error";
import { isDatabaseAway } from "~/http/database-problem";
import { inTime, TooLate } from "~/in-time";
import { log } from "~/log.server";
import { unreachable } from "~/unreachable";
import type { ClientSink } from "../call/live-stream";
import type { Call } from "../call-record";
import type { Ask } from "../canonical/ask";
import type { Usage } from "../canonical/usage";
import { usageHeaders } from "../gateway-headers";

/** Longer answers are not kept; a repetition is told so. */
const MOST_KEPT_BYTES = 4 * 1024 * 1024;
/** How long the database may take to claim a key or to keep an answer: the client and the booking wait for it. */
const ANSWERED_WITHIN_MS = 2_000;
const KEY = /^[\x21-\x7e]{1,255}$/;
/** When to ask again about a call of which nobody knows whether it was executed. */
const UNKNOWN_RETRY_SECONDS = 60;

/** The key of a request, if it has one. @throws AppError invalid_idempotency_key */
export function idempotencyKeyOf(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (!KEY.test(key)) throw refusal("invalid_idempotency_key");
  return key;
}

/**
 * Claims the key for this call; or answers what the first request with it was answered.
 * @throws AppError idempotency_conflict for another request; operation_in_progress while the first one runs, or while
 *   nobody knows whether it was executed; stream_interrupted and result_too_large when its answer is there no more;
 *   service_unavailable, within two seconds, while the database is away.
 */
export async function claimOrReplay(
  call: Call,
  caller: Caller,
  ask: Ask,
  idempotencyKey: string,
  body: string | null,
): Promise<Claim | Response> {
  const claim: ClaimRequest = {
    keyId: caller.keyId,
    organisationId: caller.organisationId,
    idempotencyKey,
    requestHash: await hashOf(ask, body),
    callId: call.id,
  };
  const result = await claimed(claim);
  switch (result.kind) {
    case "claimed":
      return new Claim(claim);
    case "conflict":
      throw refusal("idempotency_conflict");
    case "inProgress":
      throw refusal(
        "operation_in_progress",
        result.unknown
          ? {
              human:
                "Nobody knows yet whether the first request with this Idempotency-Key was carried out. Ask again later with the same key.",
              retryAfterSeconds: UNKNOWN_RETRY_SECONDS,
            }
          : {},
      );
    case "lost":
      throw lost();
    case "answered":
      return replay(result);
    default:
      return unreachable(result);
  }
}

async function claimed(claim: ClaimRequest): ReturnType<typeof claimKey> {
  const claiming = claimKey(db(), claim);
  try {
    return await inTime(claiming, ANSWERED_WITHIN_MS);
  } catch (problem) {
    if (!isDatabaseAway(problem) && !(problem instanceof TooLate)) throw problem;
    // A claim that gets through later must not stand in the way of the repetition.
    if (problem instanceof TooLate)
      claiming
        .then(({ kind }) => (kind === "claimed" ? releaseKey(db(), claim) : undefined))
        .catch((late) => log.warn({ err: late, call: claim.callId }, "an Idempotency-Key could not be given back"));
    throw refusal("service_unavailable", { cause: problem });
  }
}

/** What makes two requests the same: where they went, the region they were locked to, and every byte of them. */
async function hashOf(ask: Ask, body: string | null): Promise<Buffer> {
  const hash = createHash("sha256").update(`${ask.endpoint}\n${ask.region ?? ""}\n`);
  if (body !== null) hash.update(body);
  await ask.digest?.(hash);
  return hash.digest();
}

type Answered = { answer: StoredAnswer; settlement: string; chargedNanoUsd: bigint | null };

/** Gives a stored answer again. Where the first process did not come to book it, that is done now. */
async function replay({ answer, settlement: line, chargedNanoUsd: booked }: Answered): Promise<Response> {
  const settlement = accounting.readSettlementLine(line);
  if (settlement === null) throw lost();
  const charged = booked ?? (await accounting.settle(settlement)).chargedNanoUsd;
  if (answer.kind === "broken") throw lost();
  if (answer.kind === "too_large")
    throw refusal("result_too_large", {
      human:
        "The first request with this Idempotency-Key was carried out and charged, but its answer was too large to be kept.",
      doNotRepeat: true,
    });
  const bytes = Buffer.from(answer.body, answer.encoding);
  const headers = { ...answer.headers, "idempotent-replayed": "true" };
  if (!answer.stream) Object.assign(headers, usageHeaders(settlement, charged));
  return new Response(bytes as Uint8Array<ArrayBuffer>, { status: answer.status, headers });
}

const lost = () =>
  refusal("stream_interrupted", {
    human:
      "The first request with this Idempotency-Key was carried out and charged, but its answer is lost. Use a new key to ask again.",
    doNotRepeat: true,
  });

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
      if (body.length > MOST_KEPT_BYTES) return { kind: "too_large" };
      return { kind: "given", stream: false, status: 200, headers, ...encoded(body) };
    };
  }

  /** The client's sink of a streamed answer, with everything noted that goes into it. */
  recording(sink: ClientSink): ClientSink {
    return {
      write: (bytes) => {
        this.#bytes += bytes.length;
        if (this.#bytes > MOST_KEPT_BYTES) this.#pieces = null;
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
      await inTime(keepAnswer(db(), this.#claim, this.#answer(usage), line), ANSWERED_WITHIN_MS);
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
