import type { DialectName, Exchange, Outgoing, SupplierAdapter } from "../../canonical/exchange";
import { listModels, plainModel } from "../toolkit/list-models";
import { poolOf } from "../toolkit/pools";
import { post } from "../toolkit/post";
import { requestHeaders } from "../toolkit/request-headers";

/** Dialects whose clients are served, as they are or in translation. */
const SERVED: ReadonlySet<DialectName> = new Set(["messages", "chat", "completions", "responses"]);

/** Any supplier with a messages API: its key in `x-api-key`, paths under its base URL, a version with every request. */
export const messagesStyle: SupplierAdapter = {
  kind: "messages",
  speaks: (dialect) => (SERVED.has(dialect) ? "messages" : null),
  send: (outgoing) => inference(outgoing, "/messages"),
  countTokens: (outgoing) => inference(outgoing, "/messages/count_tokens"),
  listModels: (supplier, credential) =>
    listModels(supplier, { ...VERSION, ...(credential === null ? {} : { "x-api-key": credential.apiKey }) }, readModel),
};

/** Suppliers answer nothing to a request without a version; a client may name another one. */
const VERSION = { "anthropic-version": "2023-06-01" };

const readModel: typeof plainModel = (entry) => ({
  ...plainModel(entry),
  name: typeof entry.display_name === "string" ? entry.display_name : null,
});

function inference(outgoing: Outgoing, path: string): Exchange {
  const { route, callId, stream, credential } = outgoing;
  const { pool, basePath } = poolOf(route.supplier);
  return post({
    pool,
    path: `${basePath}${path}`,
    headers: requestHeaders(
      {
        callId,
        accept: stream ? "text/event-stream" : "application/json",
        secret: credential === null ? null : ["x-api-key", credential.apiKey],
      },
      VERSION,
      outgoing.headers,
    ),
    body: outgoing.body,
    stream,
    timeoutMs: route.supplier.timeoutMs,
    idleTimeoutMs: route.supplier.idleTimeoutMs,
  });
}
