import { z } from "zod";
import { config } from "~/config.server";
import { isAllowedUrl, PrivateAddress } from "~/public-address";
import { unseal } from "~/sealing.server";
import { postSigned, type SignedAnswer } from "~/signed-post.server";
import { TimeSlice } from "~/time-slice";
import { GUARDRAIL_WEBHOOK_ANSWERS, type GuardrailWebhook, type WebhookVerdict } from "./shared";

/** What a webhook is asked about. */
export type WebhookQuestion = {
  /** The request's id, or another one for a try; with the holder it is the message's, too. */
  id: string;
  isTest: boolean;
  endpoint: string;
  model: string;
  stream: boolean;
  /** The public id of the key that calls; null: a try for an organisation. */
  key: string | null;
  organisationId: number;
  /** What is about to be sent, text by text. */
  texts: readonly string[];
};

/** So much text goes to a webhook, in UTF-16 code units. */
const MAX_TEXT = 262_144;
/** More than that is not signed beside other work. */
const LONG_TEXT = 16_384;
const MAX_ANSWER_BYTES = 16_384;
const MAX_REASON = 300;

const Answer = z.object({ action: z.enum(GUARDRAIL_WEBHOOK_ANSWERS), reason: z.string().nullish() });

/**
 * Asks a webhook whether a request may go on, within its time limit and as long as `signal` allows. Whatever goes wrong is a verdict
 * with a `problem`, which refuses or allows as the webhook's holder chose. Never rejects.
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
  } catch (problem) {
    const action = webhook.onFailure === "allow" ? "allow" : "refuse";
    return { action, reason: null, problem: inWords(problem), ms: spent() };
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
    ...{ url, allowPrivate, maxAnswerBytes: MAX_ANSWER_BYTES },
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

/** Texts up to what goes to a webhook. */
function bounded(all: readonly string[]): { texts: string[]; isTruncated: boolean } {
  const texts: string[] = [];
  let left = MAX_TEXT;
  for (const text of all) {
    if (left === 0) return { texts, isTruncated: true };
    texts.push(text.slice(0, left));
    if (text.length > left) return { texts, isTruncated: true };
    left -= text.length;
  }
  return { texts, isTruncated: false };
}

/** Something other than an answer came. */
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

/** A reason as it can be shown and stored: one line of bounded length. */
function lineOf(reason: string): string | null {
  const line = reason.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Z}]+/gu, " ").trim();
  return line === ""
    ? null
    : Array.from(line.slice(0, MAX_REASON * 2))
        .slice(0, MAX_REASON)
        .join("");
}

function inWords(problem: unknown): string {
  const { name, message } = problem as Error;
  if (name === "TimeoutError" || name === "AbortError") return "the webhook did not answer in time";
  if (problem instanceof NoAnswer || name === "PrivateAddress") return message;
  // Without the address, which a connection's message may name.
  return `the webhook could not be reached (${(problem as NodeJS.ErrnoException).code ?? name})`;
}
