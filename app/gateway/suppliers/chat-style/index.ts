import type { Exchange, Outgoing, SupplierAdapter } from "../adapter";
import { pickCredential } from "../toolkit/credentials";
import { poolOf } from "../toolkit/pools";
import { post } from "../toolkit/post";

/** Any supplier with a chat completions API: bearer credential, paths under its base URL. */
export const chatStyle: SupplierAdapter = {
  kind: "chat",
  speaks: (dialect) => (dialect === "chat" ? "chat" : null),
  send(outgoing: Outgoing): Exchange {
    const { lane, callId, stream } = outgoing;
    const { pool, basePath } = poolOf(lane.supplier);
    const credential = pickCredential(lane.supplier);
    return post({
      pool,
      path: `${basePath}/chat/completions`,
      headers: {
        ...outgoing.headers,
        "content-type": "application/json",
        accept: stream ? "text/event-stream" : "application/json",
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
