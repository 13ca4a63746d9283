import { z } from "zod";
import { config } from "~/config.server";
import { isAllowedUrl, PrivateAddress } from "~/network/public-address";
import { postSigned, type SignedAnswer } from "~/network/signed-post.server";
import { unseal } from "~/sealing/sealing.server";
import { TimeSlice } from "~/values/time-slice";
import { GUARDRAIL_WEBHOOK_ANSWERS, type GuardrailWebhook, type WebhookVerdict } from "./shared";

/** A question to a webhook. */
export type WebhookQuestion = {
  /** Id of the request, or a random one for a test. With the holder, it is the message id, too. */
  id: string;
  isTest: boolean;
  endpoint: string;
  model: string;
  stream: boolean;
  /** Public id of the calling key; null: a test for an organisation. */
  key: string | null;
  organisationId: number;
  /** The texts of the request. */
  texts: readonly string[];
};

/** Maximum text sent to a webhook, in UTF-16 code units. */
const MAX_TEXT = 262_144;
/** Text length above which gw yields to the event loop before it signs the request. */
const LONG_TEXT = 16_384;
const MAX_ANSWER_BYTES = 16_384;
const MAX_REASON = 300;

const Answer = z.object({ action: z.enum(GUARDRAIL_WEBHOOK_ANSWERS), reason: z.string().nullish() });

/**
 * Asks a webhook whether a request may be sent, within its time limit and until `signal` aborts. Each failure is a
 * verdict with a `problem`, which refuses or allows as the webhook's holder has configured. Never rejects.
 */
export async function askWebhook(
  webhook: GuardrailWebhook,
  question: WebhookQuestion,
  signal?: AbortSignal,
): Promise<WebhookVerdict> {
  const since = performance.now();
  const spent = () => Math.round(performance.now() - since);
  try {
    const { action, reason } = await answerOf(webhook, question, signal);
    return { action, reason, problem: null, ms: spent() };
  } catch (error) {
    const action = webhook.onFailure === "allow" ? "allow" : "refuse";
    return { action, reason: null, problem: inWords(error), ms: spent() };
  }
}

async function answerOf(webhook: GuardrailWebhook, question: WebhookQuestion, signal?: AbortSignal) {
  const { url, by, place, timeoutMs } = webhook;
  const allowPrivate = config().allowPrivateWebhooks;
  if (!isAllowedUrl(url, allowPrivate)) throw new PrivateAddress();
  const limit = AbortSignal.timeout(timeoutMs);
  const { texts, isTruncated } = bounded(question.texts);
  if (texts.reduce((sum, { length }) => sum + length, 0) > LONG_TEXT) await new TimeSlice().next();
  const answer = await postSigned({
    url,
    allowPrivate,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    id: `${question.id}_${by}`,
    secrets: secretsOf(webhook).map((sealed) => unseal(sealed, place)),
    body: JSON.stringify(messageOf(question, { by, texts, truncated: isTruncated })),
    signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
  });
  return readAnswer(answer, limit);
}

const secretsOf = ({ secrets }: GuardrailWebhook): string[] =>
  secrets.filter(({ until }) => until === null || Date.parse(until) > Date.now()).map(({ sealed }) => sealed);

type Told = { by: GuardrailWebhook["by"]; texts: string[]; truncated: boolean };

const messageOf = (question: WebhookQuestion, { by, texts, truncated }: Told) => ({
  type: "guardrail.request",
  timestamp: new Date().toISOString(),
  data: {
    request_id: question.id,
    test: question.isTest,
    set_by: by,
    organisation_id: question.organisationId,
    key: question.key,
    endpoint: question.endpoint,
    model: question.model,
    stream: question.stream,
    texts,
    truncated,
  },
});

/** Truncates the texts to the maximum. */
function bounded(all: readonly string[]): { texts: string[]; isTruncated: boolean } {
  const texts: string[] = [];
  let remaining = MAX_TEXT;
  for (const text of all) {
    if (remaining === 0) return { texts, isTruncated: true };
    texts.push(text.slice(0, remaining));
    if (text.length > remaining) return { texts, isTruncated: true };
    remaining -= text.length;
  }
  return { texts, isTruncated: false };
}

/** The response is not a valid answer. */
class NoAnswer extends Error {}

function readAnswer({ status, body, isWhole }: SignedAnswer, limit: AbortSignal) {
  if (status !== 200) throw new NoAnswer(`the webhook answered ${status}`);
  if (!isWhole) throw limit.aborted ? limit.reason : new NoAnswer("the webhook's answer is too long, or was cut off");
  const read = Answer.safeParse(parsed(body));
  if (!read.success) throw new NoAnswer("the webhook's answer is not what it should be");
  const { action, reason } = read.data;
  return { action, reason: lineOf(reason ?? "") };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Converts a reason to one line of bounded length, for display and storage. */
function lineOf(reason: string): string | null {
  const line = reason.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Z}]+/gu, " ").trim();
  return line === ""
    ? null
    : Array.from(line.slice(0, MAX_REASON * 2))
        .slice(0, MAX_REASON)
        .join("");
}

function inWords(error: unknown): string {
  const { name, message } = error as Error;
  if (name === "TimeoutError" || name === "AbortError") return "the webhook did not answer in time";
  if (error instanceof NoAnswer || name === "PrivateAddress") return message;
  // Omits the address, which the message of a connection error may contain.
  return `the webhook could not be reached (${(error as NodeJS.ErrnoException).code ?? name})`;
}
