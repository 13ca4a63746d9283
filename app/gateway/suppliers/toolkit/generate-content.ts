import type { SupplierKind } from "~/domain/catalogue/shared";
import { isTranslated } from "../../canonical/dialects";
import type { Exchange, Outgoing, SupplierAdapter } from "../../canonical/exchange";
import { SupplierFailure } from "../../canonical/supplier-failure";
import { signedIn } from "./access-token";
import { patienceOf } from "./connection/patience";
import { poolOf } from "./connection/pools";
import { secretsOf, withQuery } from "./extras";
import { post } from "./post";
import { readFailure } from "./read-failure";
import { requestHeaders } from "./request-headers";

/** What differs between suppliers with Google's `generateContent`. */
export type GenerateContent = {
  kind: SupplierKind;
  /** Returns the path of a model, relative to the base URL. */
  pathOf(model: string): string;
};

/** Creates the adapter for `generateContent` and `streamGenerateContent?alt=sse`. */
export const generateContent = (api: GenerateContent): SupplierAdapter => ({
  kind: api.kind,
  speaks: (dialect) => (isTranslated(dialect) ? "gemini" : null),
  send: (outgoing) =>
    signedIn(outgoing, (secret, isToken) =>
      begin(
        api,
        outgoing,
        secret === null ? null : [isToken ? "authorization" : "x-goog-api-key", isToken ? `Bearer ${secret}` : secret],
      ),
    ),
});

type SignIn = readonly [header: string, value: string] | null;

function begin(api: GenerateContent, outgoing: Outgoing, secret: SignIn): Exchange {
  const { route, callId, stream } = outgoing;
  const { supplier, upstreamModel } = route;
  const { pool, basePath } = poolOf(supplier);
  const operation = stream ? "streamGenerateContent?alt=sse" : "generateContent";
  return post({
    pool,
    path: withQuery(`${basePath}${api.pathOf(upstreamModel)}:${operation}`, supplier),
    headers: requestHeaders(
      { callId, accept: stream ? "text/event-stream" : "application/json", secret },
      outgoing.headers,
      supplier.extras?.headers,
    ),
    secrets: secretsOf(supplier),
    body: outgoing.body,
    stream,
    ...patienceOf(route),
    readFailure: readGoogleFailure,
  });
}

/** Reads an error response. Google reports an invalid key as a bad request; this makes it a 401. */
const readGoogleFailure: typeof readFailure = (answer, asErrorCode) => {
  const failure = readFailure(answer, asErrorCode);
  const details = (Array.isArray(failure.supplierDetails) ? failure.supplierDetails : []) as Record<string, unknown>[];
  const isKey = details.some((detail) => detail?.reason === "API_KEY_INVALID");
  return isKey ? new SupplierFailure(failure.kind, failure.message, { ...failure, status: 401 }) : failure;
};
