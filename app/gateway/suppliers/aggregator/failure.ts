import { type ReportedError, reportedError } from "../../canonical/reported-error";
import { SupplierFailure } from "../../canonical/supplier-failure";
import { type ErrorAnswer, readFailure } from "../toolkit/read-failure";

type Json = Record<string, unknown>;

/**
 * Reads an aggregator's error response: `{error: {code, message, metadata}}`. Keeps the error code of the provider
 * behind it; the aggregator's own code only repeats its HTTP status. A prompt that a provider's moderation refuses
 * concerns the client, although the response is a 403.
 */
export function readAggregatorFailure(answer: ErrorAnswer): SupplierFailure {
  const { status, body } = answer;
  const usual = readFailure(answer);
  const metadata = object(reportedError(parsed(body.toString("utf8"))).fields.metadata);
  const provider = providerError(metadata.raw);
  const isModeration = status === 403 && Array.isArray(metadata.reasons);
  const isClients = status >= 400 && status < 500 && ![401, 402, 403, 408, 429].includes(status);
  return new SupplierFailure("status", messageOf(metadata, provider) ?? usual.message, {
    ...usual,
    status: isModeration ? 400 : status,
    supplierCode: provider.code ?? usual.supplierCode,
    supplierType: provider.type ?? usual.supplierType,
    supplierParam: provider.param ?? usual.supplierParam,
    isReported: usual.isReported || provider.message !== null,
    retryAfterSeconds: usual.retryAfterSeconds ?? retryAfterIn(metadata.headers),
    asErrorCode: isModeration || isClients ? "vendorc_http_error" : null,
  });
}

/** Reads the error of the provider behind the aggregator: JSON, or JSON inside a string. */
const providerError = (raw: unknown): ReportedError => reportedError(typeof raw === "string" ? parsed(raw) : raw);

function messageOf(metadata: Json, { message }: ReportedError): string | null {
  const name = text(metadata.provider_name);
  return message === null || name === null ? message : `${name}: ${message}`;
}

/**
 * Reads the time to wait that some aggregators put into the body: seconds, or a timestamp in milliseconds since 1970.
 */
function retryAfterIn(header: unknown): number | null {
  const headers = Object.fromEntries(
    Object.entries(object(header)).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  const resetMs = Number(headers["x-ratelimit-reset"] ?? Number.NaN) - Date.now();
  const wait = Number.isFinite(seconds) ? seconds : resetMs / 1_000;
  return Number.isFinite(wait) ? Math.min(86_400, Math.max(0, Math.ceil(wait))) : null;
}

const object = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});
const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
