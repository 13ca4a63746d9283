import { type CompiledRule, checkTexts, readyRules } from "~/domain/guardrails/index.server";
import type { Guardrails } from "~/domain/guardrails/shared";
import { apiError } from "~/errors/app-error";
import { exactAnswer, exactJson } from "~/http/body/json/exact-numbers";
import { ownTurn } from "~/values/time-slice";
import type { AdmittedCall } from "../admit/admission";
import type { Reply, WholeReply } from "../call/reply";
import { DIALECTS } from "../canonical/dialects";
import type { Usage } from "../canonical/usage";
import type { Dialect, StreamReader } from "../dialects/dialect";
import { GuardedStream } from "./guarded-stream";
import { rejectionBy } from "./input";
import { textsIn } from "./texts";

type Answered = Pick<AdmittedCall, "caller" | "dialect">;

/** Returns the guardrails for answers to a caller; null if there are none. */
const guardrailsFor = ({ caller, dialect }: Answered): Guardrails | null =>
  DIALECTS[dialect.name].answersText ? (caller.guardrails ?? null) : null;

/** Returns the reader of a streamed answer for its client: the same one, synchronously, without guardrails. */
export function guardStream(answered: Answered, reader: StreamReader): StreamReader | Promise<StreamReader> {
  const guardrails = guardrailsFor(answered);
  return guardrails === null ? reader : guardedStream(guardrails, answered.dialect, reader);
}

async function guardedStream(guardrails: Guardrails, dialect: Dialect, reader: StreamReader): Promise<StreamReader> {
  const { output } = await readyRules(guardrails);
  return output.length === 0 ? reader : new GuardedStream(reader, output, dialect);
}

/**
 * Applies the guardrails of a call's key to a whole answer: redacts or refuses it. Streams are guarded by
 * `guardStream`. A refused answer is charged, because the supplier has produced it. Matches are recorded with the call.
 * Never rejects.
 */
export function guardOutput(admitted: AdmittedCall, reply: Reply): Reply | Promise<Reply> {
  if (reply.kind !== "whole") return reply;
  const guardrails = guardrailsFor(admitted);
  return guardrails === null ? reply : guardedOrRefused(admitted, reply, guardrails);
}

async function guardedOrRefused(admitted: AdmittedCall, reply: WholeReply, guardrails: Guardrails): Promise<Reply> {
  try {
    const { output } = await readyRules(guardrails);
    return output.length === 0 ? reply : await guarded(admitted, reply, output);
  } catch (error) {
    // An unchecked answer is not shown, but it is settled.
    return { ...reply, rejection: apiError("internal_error", { cause: error }) };
  }
}

async function guarded(admitted: AdmittedCall, reply: WholeReply, rules: readonly CompiledRule[]): Promise<WholeReply> {
  const { answer } = reply;
  await ownTurn(answer.body.length);
  const body = readBody(answer.body);
  const checked = await checkTexts(rules, { texts: body.texts, side: "output" });
  admitted.call.guardrailHits.push(...checked.hits);
  if (checked.refusedBy !== null) return { ...reply, rejection: rejectionBy(checked.refusedBy, "output") };
  if (!checked.changed) return reply;
  const clean = new Map(body.texts.map((text, index) => [text, checked.texts[index]!]));
  return { ...reply, answer: redactedAnswer(reply, clean) };
}

/** Replaces texts of an answer, also in the version that is rewritten with its usage. */
function redactedAnswer({ answer }: WholeReply, clean: ReadonlyMap<string, string>): WholeReply["answer"] {
  const { withUsage } = answer;
  const exchanged = (body: Buffer): Buffer => {
    const value = parsed(body);
    if (value === undefined) return Buffer.from(clean.get(body.toString("utf8")) ?? "");
    dropLogprobs(value);
    for (const { text, replace } of textsIn(value)) replace(clean.get(text) ?? "");
    return Buffer.from(exactJson(JSON.stringify(value)));
  };
  return {
    ...answer,
    body: exchanged(answer.body),
    ...(withUsage === undefined ? {} : { withUsage: (usage: Usage) => exchanged(withUsage(usage)) }),
    shownText: () => textOf(exchanged(answer.body)),
  };
}

/** Log probabilities repeat the text in tokens, which are too short to be checked. */
function dropLogprobs(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const holder = value as Record<string, unknown>;
  if ("logprobs" in holder) holder.logprobs = Array.isArray(holder.logprobs) ? [] : null;
  for (const member of Object.values(holder)) dropLogprobs(member);
}

function readBody(body: Buffer): { texts: string[] } {
  const value = parsed(body);
  return { texts: value === undefined ? [body.toString("utf8")] : textsIn(value).map(({ text }) => text) };
}

/** Parses a JSON body; undefined for any other body, such as a transcript as plain text. */
function parsed(body: Buffer): unknown {
  try {
    const text = body.toString("utf8");
    const value: unknown = exactAnswer(JSON.parse(text), text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function textOf(body: Buffer): string {
  const value = parsed(body);
  return value === undefined
    ? body.toString("utf8")
    : textsIn(value)
        .map(({ text }) => text)
        .join("\n");
}
