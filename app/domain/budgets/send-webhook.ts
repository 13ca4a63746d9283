import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Webhook } from "standardwebhooks";
import { isAllowedUrl, PrivateAddress, publicLookup } from "~/public-address";

/** How a receiver answered. `error`: it did not, in the words of the program. */
export type WebhookOutcome = { status: number; error: string | null } | { status: null; error: string };

export type WebhookMessage = {
  url: string;
  /** The current secret, and the one before while it still signs. */
  secrets: readonly string[];
  /** The same for every attempt, so that a receiver can tell a repetition. */
  id: string;
  body: string;
  /** Whether it may go to addresses that are not public, and without TLS. */
  allowPrivate: boolean;
};

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 65_536;

/**
 * Sends a message as Standard Webhooks describes it (webhook-id, webhook-timestamp, webhook-signature). A 2xx is a success; no
 * redirect is followed. Within ten seconds, whatever the receiver does; of its answer 64 KiB are read and thrown away. Never rejects.
 */
export async function sendWebhook(message: WebhookMessage): Promise<WebhookOutcome> {
  if (!isAllowedUrl(message.url, message.allowPrivate)) return { status: null, error: new PrivateAddress().message };
  try {
    const status = await exchange(message, AbortSignal.timeout(TIMEOUT_MS));
    const isSuccess = status >= 200 && status < 300;
    return { status, error: isSuccess ? null : `the receiver answered ${status}` };
  } catch (problem) {
    const { name, message: text } = problem as Error;
    const isLate = name === "TimeoutError" || name === "AbortError";
    return { status: null, error: (isLate ? "the receiver did not answer in time" : text).slice(0, 300) };
  }
}

function exchange({ url, secrets, id, body, allowPrivate }: WebhookMessage, signal: AbortSignal): Promise<number> {
  const at = new Date();
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "user-agent": "gw-webhooks/1",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
  };
  const send = url.startsWith("https:") ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // A connection of its own: nothing is sent over one whose address nobody has checked.
    const lookup = allowPrivate ? undefined : publicLookup;
    const request = send(
      url,
      { method: "POST", headers, agent: false, signal, ...(lookup ? { lookup } : {}) },
      (answer) => {
        const status = answer.statusCode ?? 0;
        let bytes = 0;
        answer.on("data", (piece: Buffer) => {
          bytes += piece.length;
          if (bytes > MAX_ANSWER_BYTES) answer.destroy();
        });
        // The status is what counts, also of an answer that is not read to its end.
        answer.on("close", () => resolve(status));
        answer.on("error", () => resolve(status));
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}
