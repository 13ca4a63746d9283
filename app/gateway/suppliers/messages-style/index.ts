import type { Exchange, Outgoing, SupplierAdapter } from "../adapter";
import { poolOf } from "../toolkit/pools";
import { post } from "../toolkit/post";

/** Any supplier with a messages API: its key in `x-api-key`, paths under its base URL, a version with every request. */
export const messagesStyle: SupplierAdapter = {
  kind: "messages",
  speaks: (dialect) => (dialect === "messages" || dialect === "chat" ? "messages" : null),
  send: (outgoing) => ask(outgoing, "/messages"),
  countTokens: (outgoing) => ask(outgoing, "/messages/count_tokens"),
};

function ask(outgoing: Outgoing, path: string): Exchange {
  const { lane, callId, stream, credential } = outgoing;
  const { pool, basePath } = poolOf(lane.supplier);
  return post({
    pool,
    path: `${basePath}${path}`,
    headers: {
      // Suppliers answer nothing to a request without a version.
      "anthropic-version": "2023-06-01",
      ...outgoing.headers,
      "content-type": "application/json",
      accept: stream ? "text/event-stream" : "application/json",
      "accept-encoding": "identity",
      "user-agent": "gw",
      "x-request-id": callId,
      ...(credential === null ? {} : { "x-api-key": credential.apiKey }),
    },
    body: outgoing.body,
    stream,
    timeoutMs: lane.supplier.timeoutMs,
    idleTimeoutMs: lane.supplier.idleTimeoutMs,
  });
}
