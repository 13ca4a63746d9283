import type { Supplier } from "~/domain/catalogue/shared";
import { isTranslated } from "../../canonical/dialects";
import type { Exchange, Outgoing, SupplierAdapter } from "../../canonical/exchange";
import { signedIn } from "../toolkit/access-token";
import { patienceOf } from "../toolkit/connection/patience";
import { poolOf } from "../toolkit/connection/pools";
import { deferred } from "../toolkit/deferred";
import { secretsOf, withQuery } from "../toolkit/extras";
import { post } from "../toolkit/post";
import { requestHeaders } from "../toolkit/request-headers";
import { EventStreamSource } from "./event-stream";
import { readBedrockFailure } from "./failure";
import { signIn } from "./sign";

/** Amazon Bedrock: Converse and ConverseStream, for every model of a region that supports them. */
export const bedrock: SupplierAdapter = {
  kind: "bedrock",
  speaks: (dialect) => (isTranslated(dialect) ? "converse" : null),
  send: (outgoing) => signedIn(outgoing, (secret, isToken) => deferred(() => converse(outgoing, { secret, isToken }))),
};

type SignIn = { secret: string | null; isToken: boolean };

async function converse(outgoing: Outgoing, { secret, isToken }: SignIn): Promise<Exchange> {
  const { route, callId, stream } = outgoing;
  const { supplier, upstreamModel } = route;
  const body = outgoing.body as string;
  const { pool, basePath } = poolOf(supplier);
  const operation = `${apiPath(basePath)}/model/${encodeURIComponent(upstreamModel)}/${stream ? "converse-stream" : "converse"}`;
  const path = withQuery(operation, supplier);
  const url = `${new URL(supplier.baseUrl).origin}${path}`;
  const signature =
    secret === null
      ? {}
      : isToken
        ? { authorization: `Bearer ${secret}` }
        : await signIn(secret, { url, body, region: signingRegion(supplier) });
  const accept = stream ? "application/vnd.amazon.eventstream" : "application/json";
  const exchange = post({
    pool,
    path,
    headers: requestHeaders({ callId, accept, secret: null }, outgoing.headers, supplier.extras?.headers, signature),
    secrets: secretsOf(supplier),
    body,
    stream,
    ...patienceOf(route),
    readFailure: readBedrockFailure,
  });
  const reply = exchange.reply.then((came) =>
    came.kind === "stream" ? { ...came, source: new EventStreamSource(came.source) } : came,
  );
  return { reply, abort: () => exchange.abort() };
}

/** Bedrock's chat completions API adds a path to the same address; Converse has none. */
const apiPath = (basePath: string): string => basePath.replace(/\/openai\/v1$/, "");

/** Reads the region from the address; for an operator's own address, takes it from the supplier. */
function signingRegion({ baseUrl, region }: Supplier): string {
  return /^https?:\/\/bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\./.exec(baseUrl)?.[1] ?? region;
}
