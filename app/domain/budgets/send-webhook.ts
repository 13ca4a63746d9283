import { isAllowedUrl, PrivateAddress } from "~/network/public-address";
import { postSigned, type SignedPost } from "~/network/signed-post.server";

/** A receiver's answer. `error`: the technical reason of a failure. */
export type WebhookOutcome = { status: number; error: string | null } | { status: null; error: string };

/** `allowPrivate`: private addresses and plain HTTP are allowed. */
export type WebhookMessage = Omit<SignedPost, "signal" | "maxAnswerBytes">;

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 65_536;

/**
 * Sends a message by the Standard Webhooks specification. A 2xx status is a success; redirects are not followed. Ends within ten seconds.
 * Reads and discards at most 64 KiB of the answer. Never rejects.
 */
export async function sendWebhook(message: WebhookMessage): Promise<WebhookOutcome> {
  if (!isAllowedUrl(message.url, message.allowPrivate)) return { status: null, error: new PrivateAddress().message };
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { status } = await postSigned({ ...message, maxAnswerBytes: MAX_ANSWER_BYTES, signal });
    const isSuccess = status >= 200 && status < 300;
    return { status, error: isSuccess ? null : `the receiver answered ${status}` };
  } catch (error) {
    const { name, message: text } = error as Error;
    const isLate = name === "TimeoutError" || name === "AbortError";
    return { status: null, error: (isLate ? "the receiver did not answer in time" : text).slice(0, 300) };
  }
}
