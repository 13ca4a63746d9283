import Stripe from "stripe";
import { config } from "~/config.server";
import { AppError, apiError } from "~/errors/app-error";
import { log } from "~/log.server";

const TIMEOUT_MS = 10_000;
const RETRIES = 2;

type Settings = NonNullable<ReturnType<typeof config>["stripe"]>;
let client: { settings: Settings; stripe: Stripe } | null = null;

/** Whether card payments are set up. */
export const isProcessorConfigured = (): boolean => config().stripe !== null;

/**
 * The settings of the processor.
 * @throws AppError billing_unavailable, which says who has to do what, where there are none.
 */
export function processorSettings(): Settings {
  const settings = config().stripe;
  if (settings === null) throw apiError("billing_unavailable", { key: "rejections:noProcessor", doNotRepeat: true });
  return settings;
}

/** The processor's client. It repeats what failed on the way by itself, each time with the same idempotency key. */
export function processor(): Stripe {
  const settings = processorSettings();
  if (client?.settings !== settings) client = { settings, stripe: newClient(settings) };
  return client.stripe;
}

/**
 * Asks the processor for something. Every write carries an idempotency key, so that asking again after an unknown outcome
 * finds what was done instead of doing it twice.
 * @throws AppError billing_unavailable when it cannot be reached or refuses gw; operation_in_progress; not_found.
 */
export async function askProcessor<T>(ask: (stripe: Stripe) => Promise<T>): Promise<T> {
  const stripe = processor();
  try {
    return await ask(stripe);
  } catch (problem) {
    throw rejectionOf(problem);
  }
}

/**
 * The same; null where the account has no such object. What another product sells through a connected account is told here as
 * well, and can be asked for there only.
 */
export async function askForOwn<T>(ask: (stripe: Stripe) => Promise<T>): Promise<T | null> {
  try {
    return await askProcessor(ask);
  } catch (problem) {
    if (problem instanceof AppError && problem.code === "not_found") return null;
    throw problem;
  }
}

function newClient({ secretKey, apiBase }: Settings): Stripe {
  const at = apiBase === null ? null : new URL(apiBase);
  return new Stripe(secretKey, {
    maxNetworkRetries: RETRIES,
    timeout: TIMEOUT_MS,
    telemetry: false,
    ...(at && {
      protocol: at.protocol === "http:" ? "http" : "https",
      host: at.hostname,
      port: at.port || (at.protocol === "http:" ? 80 : 443),
    }),
  });
}

function rejectionOf(problem: unknown): unknown {
  if (!(problem instanceof Stripe.errors.StripeError)) return problem;
  const { type, code, statusCode, requestId } = problem;
  log.warn({ processor: { type, code, statusCode, requestId } }, "the payment processor refused a request");
  if (problem.type === "StripeIdempotencyError") return apiError("idempotency_conflict", { cause: problem });
  if (problem.statusCode === 409) return apiError("operation_in_progress", { cause: problem });
  if (problem.code === "resource_missing") return apiError("not_found", { cause: problem });
  return unavailable(problem);
}

const unavailable = (cause: unknown): AppError =>
  apiError("billing_unavailable", { key: "rejections:processorAway", cause });
