import type { DialectName, Exchange, Outgoing, SupplierAdapter } from "../adapter";
import { poolOf } from "../toolkit/pools";
import { post } from "../toolkit/post";

/** Where a supplier of this style takes each of the dialects it speaks, under its base URL. */
const PATHS: Partial<Record<DialectName, string>> = {
  chat: "/chat/completions",
  embeddings: "/embeddings",
  rerank: "/rerank",
  speech: "/audio/speech",
  transcription: "/audio/transcriptions",
};

/** Any supplier with a chat completions API: bearer credential, paths under its base URL. */
export const chatStyle: SupplierAdapter = {
  kind: "chat",
  speaks: (dialect) => (dialect === "messages" ? "chat" : PATHS[dialect] === undefined ? null : dialect),
  send(outgoing: Outgoing): Exchange {
    const { lane, callId, stream, credential, dialect } = outgoing;
    const { pool, basePath } = poolOf(lane.supplier);
    return post({
      pool,
      path: `${basePath}${PATHS[dialect] ?? ""}`,
      headers: {
        ...outgoing.headers,
        "content-type": "application/json",
        accept: acceptOf(dialect, stream),
        // One decoder less to attack, and no compression to undo for every event.
        "accept-encoding": "identity",
        "user-agent": "gw",
        "x-request-id": callId,
        ...(credential === null ? {} : { authorization: `Bearer ${credential.apiKey}` }),
      },
      body: outgoing.body,
      stream,
      timeoutMs: lane.supplier.timeoutMs,
      idleTimeoutMs: lane.supplier.idleTimeoutMs,
    });
  },
};

function acceptOf(dialect: DialectName, stream: boolean): string {
  if (dialect === "speech") return "audio/mpeg, audio/wav, application/octet-stream";
  if (dialect === "transcription") return "application/json, text/plain";
  return stream ? "text/event-stream" : "application/json";
}
