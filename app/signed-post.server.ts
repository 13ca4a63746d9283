import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Webhook } from "standardwebhooks";
import { publicLookup } from "~/public-address";

export type SignedPost = {
  /** One that `isAllowedUrl` allows. */
  url: string;
  /** The current secret, and the one before while it still signs. */
  secrets: readonly string[];
  /** The same for every attempt, so that a receiver can tell a repetition. */
  id: string;
  body: string;
  /** Whether it may go to addresses that are not public. */
  allowPrivate: boolean;
  /** Of the answer no more is read. */
  maxAnswerBytes: number;
  signal: AbortSignal;
};

/** `isWhole`: the body is the answer's to its end. */
export type SignedAnswer = { status: number; body: Buffer; isWhole: boolean };

/**
 * Posts JSON as Standard Webhooks describes it (webhook-id, webhook-timestamp, webhook-signature). No redirect is followed. An answer
 * whose status came counts, also where its body was cut off, by its sender, by its length or by the signal.
 * Rejects when no status came: with the signal's reason, PrivateAddress, or what the connection says.
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
    // A connection of its own: nothing is sent over one whose address nobody has checked.
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
