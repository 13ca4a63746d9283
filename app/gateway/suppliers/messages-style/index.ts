import { isTranslated } from "../../canonical/dialects";
import type { Exchange, Outgoing, SupplierAdapter } from "../../canonical/exchange";
import { signedIn } from "../toolkit/access-token";
import { patienceOf } from "../toolkit/connection/patience";
import { poolOf } from "../toolkit/connection/pools";
import { secretsOf, withQuery } from "../toolkit/extras";
import { listModels, plainModel } from "../toolkit/list-models";
import { post } from "../toolkit/post";
import { requestHeaders } from "../toolkit/request-headers";
import { messageBatches } from "./batches";
import { signIn, VERSION } from "./sign-in";

/**
 * Any supplier with a messages API: key in `x-api-key`, paths under its base URL, a version header in every request.
 */
export const messagesStyle: SupplierAdapter = {
  kind: "messages",
  speaks: (dialect) => (isTranslated(dialect) ? "messages" : null),
  send: (outgoing) => inference(outgoing, "/messages"),
  countTokens: (outgoing) => inference(outgoing, "/messages/count_tokens"),
  batches: messageBatches,
  listModels: async (supplier, credential) => {
    return listModels(supplier, await signIn({ supplier, credential }), readModel);
  },
};

const readModel: typeof plainModel = (entry) => ({
  ...plainModel(entry),
  name: typeof entry.display_name === "string" ? entry.display_name : null,
});

function inference(outgoing: Outgoing, path: string): Exchange {
  const { route, callId, stream } = outgoing;
  const { pool, basePath } = poolOf(route.supplier);
  return signedIn(outgoing, (secret, isToken) =>
    post({
      pool,
      path: withQuery(`${basePath}${path}`, route.supplier),
      headers: requestHeaders(
        {
          callId,
          accept: stream ? "text/event-stream" : "application/json",
          secret: secret === null ? null : isToken ? ["authorization", `Bearer ${secret}`] : ["x-api-key", secret],
        },
        VERSION,
        outgoing.headers,
        route.supplier.extras?.headers,
      ),
      secrets: secretsOf(route.supplier),
      body: outgoing.body,
      stream,
      ...patienceOf(route),
    }),
  );
}
