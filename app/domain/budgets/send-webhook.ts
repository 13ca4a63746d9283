import { isAllowedUrl, PrivateAddress } from "~/public-address";
import { postSigned, type SignedPost } from "~/signed-post.server";

/** How a receiver answered. `error`: it did not, in the words of the program. */
export type WebhookOutcome = { status: number; error: string | null } | { status: null; error: string };

/** `allowPrivate`: it may also go without TLS. */
export type WebhookMessage = Omit<SignedPost, "signal" | "maxAnswerBytes">;

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 65_536;

/**
 * Sends a message as Standard Webhooks describes it. A 2xx is a success; no redirect is followed. Within ten seconds, whatever the
 * receiver does; of its answer 64 KiB are read and thrown away. Never rejects.
 */
export async function sendWebhook(message: WebhookMessage): Promise<WebhookOutcome> {
  if (!isAllowedUrl(message.url, message.allowPrivate)) return { status: null, error: new PrivateAddress().message };
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { status } = await postSigned({ ...message, maxAnswerBytes: MAX_ANSWER_BYTES, signal });
    const isSuccess = status >= 200 && status < 300;
    return { status, error: isSuccess ? null : `the receiver answered ${status}` };
  } catch (problem) {
    const { name, message: text } = problem as Error;
    const isLate = name === "TimeoutError" || name === "AbortError";
    return { status: null, error: (isLate ? "the receiver did not answer in time" : text).slice(0, 300) };
  }
}
