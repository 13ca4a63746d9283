import type { DialectName, Exchange, Outgoing, SupplierAdapter, WireName } from "../../canonical/exchange";
import { bearer, isAccount, signedIn } from "../toolkit/access-token";
import { secretsOf, withQuery } from "../toolkit/extras";
import { listModels, plainModel } from "../toolkit/list-models";
import { poolOf } from "../toolkit/pools";
import { post } from "../toolkit/post";
import { requestHeaders } from "../toolkit/request-headers";

/** What it speaks for each dialect; chat and its like are served in translation. */
const SPOKEN: Partial<Record<DialectName, WireName>> = {
  ...{ chat: "cohere", completions: "cohere", messages: "cohere", responses: "cohere" },
  ...{ embeddings: "embeddings", rerank: "rerank" },
};

/** Cohere's API of version 2: its own format for chat, its compatible one for embeddings. */
export const cohere: SupplierAdapter = {
  kind: "cohere",
  speaks: (dialect) => SPOKEN[dialect] ?? null,
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
    timeoutMs: supplier.timeoutMs,
    idleTimeoutMs: supplier.idleTimeoutMs,
  });
}

const COMPATIBLE = "/compatibility/v1";

/** The compatible API stands beside the one of version 2; under other addresses everything is in one place. */
function pathOf(dialect: WireName, basePath: string): string {
  if (dialect === "embeddings") return `${basePath.replace(/\/v2$/, COMPATIBLE)}/embeddings`;
  const own = basePath.endsWith(COMPATIBLE) ? `${basePath.slice(0, -COMPATIBLE.length)}/v2` : basePath;
  return `${own}${dialect === "rerank" ? "/rerank" : "/chat"}`;
}

/** The address of the compatible API, whose list of models has the usual form. */
const beside = (baseUrl: string, basePath: string): string =>
  basePath.endsWith("/v2") ? `${baseUrl.slice(0, -"/v2".length)}${COMPATIBLE}` : baseUrl;
