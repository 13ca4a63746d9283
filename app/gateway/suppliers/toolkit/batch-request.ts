import type { Dispatcher } from "undici";
import type { BatchPlace, SupplierHeaders } from "../../canonical/exchange";
import { type Executed, SupplierFailure } from "../../canonical/supplier-failure";
import { bearer, isAccount } from "./access-token";
import { poolOf } from "./connection/pools";
import { keyHeader, pathForNoModel, withQuery } from "./extras";
import { readFailure } from "./read-failure";

/** A request to a batch API. `path`: relative to the base URL. */
export type BatchRequest = {
  /** Returns the authentication headers; by default a bearer token, or the supplier's own key header. */
  signIn?(place: BatchPlace): Promise<Readonly<Record<string, string>>>;
  method: "GET" | "POST" | "DELETE";
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
};

/** Maximum bytes of a response with one batch or a page of them. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Sends one request to a batch API. Redirects are not followed.
 * @throws SupplierFailure; its `executed` tells whether the request may have had an effect
 */
export async function fetchJson(place: BatchPlace, request: BatchRequest): Promise<Record<string, unknown>> {
  const { status, headers, body } = await send(place, request);
  const text = await wholeOf(body);
  if (status < 200 || status >= 300) throw failureOf({ status, headers, body: text });
  try {
    const answer: unknown = JSON.parse(text.toString("utf8"));
    if (typeof answer === "object" && answer !== null && !Array.isArray(answer))
      return answer as Record<string, unknown>;
  } catch {
    // Handled below, like an answer that is not an object.
  }
  throw new SupplierFailure("protocol", "the supplier's answer about a batch is not JSON", { executed: "unknown" });
}

/** Streams a supplier's file. @throws SupplierFailure, also after the first bytes */
export async function* fetchFile(
  place: BatchPlace,
  request: Omit<BatchRequest, "method">,
): AsyncGenerator<Buffer, void, undefined> {
  const { status, headers, body } = await send(place, { ...request, method: "GET" });
  if (status !== 200) throw failureOf({ status, headers, body: await wholeOf(body) });
  try {
    for await (const chunk of body) yield chunk as Buffer;
  } catch (cause) {
    throw new SupplierFailure("reset", "the supplier's file broke off", { executed: "yes", cause });
  }
}

async function send(
  place: BatchPlace,
  { method, path, headers, body, signIn = keyOrBearer }: BatchRequest,
): Promise<{ status: number; headers: SupplierHeaders; body: Dispatcher.ResponseData["body"] }> {
  const { supplier } = place;
  const { pool, basePath } = poolOf(supplier);
  const own = await signIn(place);
  try {
    const response = await pool.request({
      path: withQuery(`${pathForNoModel(basePath)}${path}`, supplier),
      method,
      headers: {
        accept: "application/json, application/octet-stream",
        "accept-encoding": "identity",
        "user-agent": "gw",
        ...supplier.extras?.headers,
        ...headers,
        ...own,
      },
      body: body ?? null,
      headersTimeout: Math.max(supplier.timeoutMs, MIN_TIMEOUT_MS),
      bodyTimeout: Math.max(supplier.idleTimeoutMs, MIN_TIMEOUT_MS),
    });
    return { status: response.statusCode, headers: response.headers, body: response.body };
  } catch (cause) {
    throw unanswered(cause as Error & { code?: string });
  }
}

async function keyOrBearer({ supplier, credential }: BatchPlace): Promise<Record<string, string>> {
  const isFixed = credential !== null && !isAccount(credential.apiKey);
  return isFixed ? Object.fromEntries([keyHeader(credential.apiKey, supplier)]) : bearer(supplier, credential);
}

/** Minimum timeout: the supplier validates a file before it responds. */
const MIN_TIMEOUT_MS = 60_000;

/** Errors without a connection, so the request had no effect. */
const UNSENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "UND_ERR_CONNECT_TIMEOUT"]);

function unanswered(cause: Error & { code?: string }): SupplierFailure {
  const isUnsent = cause.code !== undefined && UNSENT.has(cause.code);
  const executed: Executed = isUnsent ? "no" : "unknown";
  return new SupplierFailure(isUnsent ? "connect" : "reset", "the supplier did not answer about a batch", {
    executed,
    cause,
  });
}

/** A 5xx error may follow the creation of a batch, so its outcome is unknown; a 501 means that there is no such API. */
function failureOf(answer: { status: number; headers: SupplierHeaders; body: Buffer }): SupplierFailure {
  const failure = readFailure(answer);
  if (answer.status < 500 || answer.status === 501) return failure;
  const { status, supplierCode, retryAfterSeconds } = failure;
  return new SupplierFailure("status", failure.message, {
    executed: "unknown",
    status,
    supplierCode,
    retryAfterSeconds,
  });
}

async function wholeOf(body: Dispatcher.ResponseData["body"]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += (chunk as Buffer).length;
      if (size > MAX_BYTES)
        throw new SupplierFailure("too_large", "the supplier's answer about a batch is too long", {
          executed: "unknown",
        });
      chunks.push(chunk as Buffer);
    }
  } catch (cause) {
    if (cause instanceof SupplierFailure) throw cause;
    throw new SupplierFailure("reset", "the supplier's answer about a batch broke off", { executed: "unknown", cause });
  }
  return Buffer.concat(chunks);
}
