import { recordHeadroom } from "~/domain/credentials/index.server";
import type { Exchange, Outgoing, SupplierAdapter } from "../../canonical/exchange";
import { patienceOf } from "../toolkit/connection/patience";
import { poolOf } from "../toolkit/connection/pools";
import { secretsOf, withQuery } from "../toolkit/extras";
import { post } from "../toolkit/post";
import { requestHeaders } from "../toolkit/request-headers";
import { signed } from "../toolkit/signed";
import { readNativeFailure, TOKEN_REFUSED } from "./failure";

/**
 * A supplier of the native agent protocol: OAuth tokens or a fixed one, always streaming, native and responses dialects
 * only.
 */
export const nativeAgent: SupplierAdapter = {
  kind: "native_agent",
  speaks: (dialect) => (dialect === "native" || dialect === "responses" ? "native" : null),
  send(outgoing) {
    const exchange = signed(outgoing, (secret) => inference(outgoing, secret), TOKEN_REFUSED);
    const { credential, route } = outgoing;
    if (credential !== null) {
      exchange.reply.then(
        ({ headers }) => recordHeadroom({ provider: route.supplier.name, keyName: credential.name }, headers),
        () => undefined,
      );
    }
    return exchange;
  },
};

function inference({ route, callId, stream, body, headers }: Outgoing, secret: string | null): Exchange {
  const { pool, basePath } = poolOf(route.supplier);
  return post({
    pool,
    path: withQuery(`${basePath}/responses`, route.supplier),
    headers: requestHeaders(
      {
        callId,
        accept: stream ? "text/event-stream" : "application/json",
        secret: secret === null ? null : ["authorization", `Bearer ${secret}`],
      },
      headers,
      route.supplier.extras?.headers,
    ),
    secrets: secretsOf(route.supplier),
    body,
    stream,
    ...patienceOf(route),
    readFailure: readNativeFailure,
  });
}
