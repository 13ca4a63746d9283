import type { BodySource, DialectName, Exchange, Outgoing, SupplierAdapter, WireName } from "../../canonical/exchange";
import { SupplierFailure } from "../../canonical/supplier-failure";
import { actFor, type Excerpt, type SandboxDialect } from "./act";
import { chat } from "./chat";
import { embeddings } from "./embeddings";
import { image, imageEdit } from "./media/image";
import { speech } from "./media/speech";
import { transcription } from "./media/transcription";
import { messages } from "./messages";
import { moderation } from "./moderation";
import { native } from "./native";
import { play } from "./play";
import { rerank } from "./rerank";

const dialects: Partial<Record<DialectName, SandboxDialect>> = {
  chat,
  messages,
  native,
  responses: native,
  embeddings,
  rerank,
  moderation,
  image,
  imageEdit,
  speech,
  transcription,
  translation: transcription,
};

/**
 * A supplier inside the process: deterministic answers in every dialect's own wire format, and faults by model name.
 * For tests of applications and of gw itself.
 */
export const sandbox: SupplierAdapter = {
  kind: "sandbox",
  speaks(dialect) {
    if (dialect === "completions") return "chat";
    return dialects[dialect] === undefined ? null : dialect;
  },
  send(outgoing: Outgoing): Exchange {
    const dialect = (dialects as Partial<Record<WireName, SandboxDialect>>)[outgoing.dialect];
    if (dialect === undefined) {
      const failure = new SupplierFailure("connect", "the sandbox does not speak this dialect", { executed: "no" });
      return play(Promise.resolve({ kind: "refuse", afterMs: 0, failure }), outgoing.callId);
    }
    const { body, callId } = outgoing;
    if (typeof body === "string" || Buffer.isBuffer(body)) {
      return play(actFor(outgoing, { bytes: body, omitted: 0 }, dialect), callId);
    }
    return play(
      excerptOf(body).then(
        (excerpt) => actFor(outgoing, excerpt, dialect),
        (cause) => ({ kind: "refuse", afterMs: 0, failure: unreadable(cause) }),
      ),
      callId,
    );
  },
};

const unreadable = (cause: unknown) =>
  new SupplierFailure("connect", "the request could not be sent", { executed: "no", cause });

const HEAD_BYTES = 512 * 1024;
const TAIL_BYTES = 128 * 1024;

/**
 * Reads the beginning and end of a large body, so that an upload takes no more memory here than at any other supplier.
 */
async function excerptOf(body: BodySource): Promise<Excerpt> {
  const retainedBytes = Math.min(body.contentLength, HEAD_BYTES + TAIL_BYTES);
  const omitted = body.contentLength - retainedBytes;
  const bytes = Buffer.alloc(retainedBytes);
  let at = 0;
  for await (const chunk of body.open()) {
    const beforeGap = Math.max(0, Math.min(chunk.length, HEAD_BYTES - at));
    chunk.copy(bytes, at, 0, beforeGap);
    const afterGap = Math.max(beforeGap, Math.min(chunk.length, HEAD_BYTES + omitted - at));
    if (afterGap < chunk.length) chunk.copy(bytes, at + afterGap - omitted, afterGap);
    at += chunk.length;
  }
  return { bytes, omitted };
}
