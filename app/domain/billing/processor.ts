import Stripe from "stripe";
import { config } from "~/config.server";
import { AppError, apiError } from "~/errors/app-error";
import { hasProxy, proxiedFetch } from "~/network/proxied-fetch.server";
import { log } from "~/observe/log.server";

const TIMEOUT_MS = 10_000;
const RETRIES = 2;

type Settings = NonNullable<ReturnType<typeof config>["stripe"]>;
let client: { settings: Settings; stripe: Stripe } | null = null;

/** Returns whether card payments are configured. */
export const isProcessorConfigured = (): boolean => config().stripe !== null;

/**
 * Returns the settings of the processor.
 * @throws AppError billing_unavailable when there are none, with the necessary steps.
 */
export function processorSettings(): Settings {
  const settings = config().stripe;
  if (settings === null) throw apiError("billing_unavailable", { key: "rejections:noProcessor", doNotRepeat: true });
  return settings;
}

/** Returns the processor's client. It retries network failures itself, each time with the same idempotency key. */
export function processor(): Stripe {
  const settings = processorSettings();
  if (client?.settings !== settings) client = { settings, stripe: newClient(settings) };
  return client.stripe;
}

/**
 * Sends a request to the processor. Every write has an idempotency key, so that a repetition after an unknown outcome
 * returns the earlier result.
 * @throws AppError billing_unavailable when it cannot be reached or rejects gw; operation_in_progress; not_found.
 */
export async function askProcessor<T>(request: (stripe: Stripe) => Promise<T>): Promise<T> {
  const stripe = processor();
  try {
    return await request(stripe);
  } catch (error) {
    throw rejectionOf(error);
  }
}

/**
 * Sends a request to the processor; null when the account has no such object. Events of sales through connected
 * accounts are delivered here too, but their objects can only be retrieved there.
 */
export async function askOwnConnection<T>(request: (stripe: Stripe) => Promise<T>): Promise<T | null> {
  try {
    return await askProcessor(request);
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  }
}

function newClient({ secretKey, apiBase }: Settings): Stripe {
  const at = apiBase === null ? null : new URL(apiBase);
  return new Stripe(secretKey, {
    maxNetworkRetries: RETRIES,
    timeout: TIMEOUT_MS,
    telemetry: false,
    // The library's own client does not support proxies, but its connection errors are more detailed.
    ...(hasProxy() && { httpClient: Stripe.createFetchHttpClient(proxiedFetch as typeof fetch) }),
    ...(at && {
      protocol: at.protocol === "http:" ? "http" : "https",
      host: at.hostname,
      port: at.port || (at.protocol === "http:" ? 80 : 443),
    }),
  });
}

function rejectionOf(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { type, code, statusCode, requestId } = error;
  // For a rejected key or a missing permission, the message names the key without its secret part, and the permission.
  const message = statusCode === 401 || statusCode === 403 ? error.message : undefined;
  log.warn(
    { processor: { type, code, statusCode, requestId, said: message } },
    "the payment processor refused a request",
  );
  if (error.type === "StripeIdempotencyError") return apiError("idempotency_conflict", { cause: error });
  if (error.statusCode === 409) return apiError("operation_in_progress", { cause: error });
  if (error.code === "resource_missing") return apiError("not_found", { cause: error });
  return unavailable(error);
}

const unavailable = (cause: unknown): AppError =>
  apiError("billing_unavailable", { key: "rejections:processorAway", cause });
