import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Webhook } from "standardwebhooks";
import { publicLookup } from "~/network/public-address";

export type SignedPost = {
  /** A URL that `isAllowedUrl` allows. */
  url: string;
  /** The current secret, and the previous one while it is still valid. */
  secrets: readonly string[];
  /** The same for every attempt, so that a receiver can detect a repetition. */
  id: string;
  body: string;
  /** Whether the URL may have a private address. */
  allowPrivate: boolean;
  /** Maximum bytes to read of the response body. */
  maxAnswerBytes: number;
  signal: AbortSignal;
};

/** `isWhole`: the body is complete. */
export type SignedAnswer = { status: number; body: Buffer; isWhole: boolean };

/**
 * Posts JSON as specified by Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature). Follows no
 * redirects. A response counts once its status has arrived, even if its body is cut off by the receiver, the size limit
 * or the signal. Rejects when no status arrives: with the signal's reason, PrivateAddress, or the connection's error.
 */
export function postSigned(post: SignedPost): Promise<SignedAnswer> {
  const { url, secrets, id, body, allowPrivate, maxAnswerBytes, signal } = post;
  const at = new Date();
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "user-agent": "gw-webhooks/1",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(" "),
  };
  const send = new URL(url).protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // A new connection, so that its address is always checked.
    const lookup = allowPrivate ? {} : { lookup: publicLookup };
    const request = send(url, { method: "POST", headers, agent: false, signal, ...lookup }, (answer) => {
      const pieces: Buffer[] = [];
      let bytes = 0;
      answer.on("data", (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > maxAnswerBytes) answer.destroy();
        else pieces.push(piece);
      });
      const end = () => {
        const isWhole = answer.complete && bytes <= maxAnswerBytes;
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(pieces), isWhole });
      };
      answer.on("close", end);
      answer.on("error", end);
    });
    request.on("error", reject);
    request.end(body);
  });
}
