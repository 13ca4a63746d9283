import type { SupplierKind } from "~/domain/catalogue/shared";
import type { DialectName, Exchange, Outgoing, SupplierAdapter } from "../../canonical/exchange";
import { SupplierFailure } from "../../canonical/supplier-failure";
import { signedIn } from "./access-token";
import { secretsOf, withQuery } from "./extras";
import { poolOf } from "./pools";
import { post } from "./post";
import { readFailure } from "./read-failure";
import { requestHeaders } from "./request-headers";

/** What a supplier with Google's `generateContent` has of its own. */
export type GenerateContent = {
  kind: SupplierKind;
  /** The path of a model under the base URL. */
  pathOf(model: string): string;
};

/** Dialects whose clients are served, in translation. */
const SERVED: ReadonlySet<DialectName> = new Set(["chat", "completions", "messages", "responses"]);

/** An adapter for `generateContent` and `streamGenerateContent?alt=sse`. */
export const generateContent = (api: GenerateContent): SupplierAdapter => ({
  kind: api.kind,
  speaks: (dialect) => (SERVED.has(dialect) ? "gemini" : null),
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
    timeoutMs: supplier.timeoutMs,
    idleTimeoutMs: supplier.idleTimeoutMs,
    readFailure: readGoogleFailure,
  });
}

/** Understands an error answer: a key that is not valid is told as a fault of the request, and when to come back in the details. */
const readGoogleFailure: typeof readFailure = (answer, asErrorCode) => {
  const failure = readFailure(answer, asErrorCode);
  const details = (Array.isArray(failure.supplierDetails) ? failure.supplierDetails : []) as Record<string, unknown>[];
  const isKey = details.some((detail) => detail?.reason === "API_KEY_INVALID");
  const delay = details.map((detail) => /^(\d+(?:\.\d+)?)s$/.exec(String(detail?.retryDelay))?.[1]).find(Boolean);
  return new SupplierFailure(failure.kind, failure.message, {
    ...failure,
    status: isKey ? 401 : failure.status,
    retryAfterSeconds:
      failure.retryAfterSeconds ?? (delay === undefined ? null : Math.min(86_400, Math.ceil(Number(delay)))),
  });
};
