import { isTranslated } from "../../canonical/dialects";
import type { Exchange, Outgoing, SupplierAdapter, WireName } from "../../canonical/exchange";
import { bearer, isAccount, signedIn } from "../toolkit/access-token";
import { patienceOf } from "../toolkit/connection/patience";
import { poolOf } from "../toolkit/connection/pools";
import { secretsOf, withQuery } from "../toolkit/extras";
import { listModels, plainModel } from "../toolkit/list-models";
import { post } from "../toolkit/post";
import { requestHeaders } from "../toolkit/request-headers";

/** Cohere's API version 2: its own format for chat, its compatibility API for embeddings. See docs/decisions/046. */
export const cohere: SupplierAdapter = {
  kind: "cohere",
  speaks: (dialect) =>
    isTranslated(dialect) ? "cohere" : dialect === "embeddings" || dialect === "rerank" ? dialect : null,
  send: (outgoing) => signedIn(outgoing, (secret) => begin(outgoing, secret)),
  async listModels(supplier, credential) {
    const isFixed = credential !== null && !isAccount(credential.apiKey);
    const signIn = isFixed ? { authorization: `Bearer ${credential.apiKey}` } : await bearer(supplier, credential);
    const { basePath } = poolOf(supplier);
    return listModels({ ...supplier, baseUrl: beside(supplier.baseUrl, basePath) }, signIn, plainModel);
  },
};

function begin({ route, callId, stream, dialect, body, headers }: Outgoing, secret: string | null): Exchange {
  const { supplier } = route;
  const { pool, basePath } = poolOf(supplier);
  return post({
    pool,
    path: withQuery(pathOf(dialect, basePath), supplier),
    headers: requestHeaders(
      {
        callId,
        accept: stream ? "text/event-stream" : "application/json",
        secret: secret === null ? null : ["authorization", `Bearer ${secret}`],
      },
      headers,
      supplier.extras?.headers,
    ),
    secrets: secretsOf(supplier),
    body,
    stream,
    ...patienceOf(route),
  });
}

const COMPATIBLE = "/compatibility/v1";

/**
 * On Cohere's own address the compatibility API has a path beside version 2. On other addresses all requests use one
 * path.
 */
function pathOf(dialect: WireName, basePath: string): string {
  if (dialect === "embeddings") return `${basePath.replace(/\/v2$/, COMPATIBLE)}/embeddings`;
  const own = basePath.endsWith(COMPATIBLE) ? `${basePath.slice(0, -COMPATIBLE.length)}/v2` : basePath;
  return `${own}${dialect === "rerank" ? "/rerank" : "/chat"}`;
}

/** Returns the address of the compatibility API, whose list of models has the usual format. */
const beside = (baseUrl: string, basePath: string): string =>
  basePath.endsWith("/v2") ? `${baseUrl.slice(0, -"/v2".length)}${COMPATIBLE}` : baseUrl;
