import { apiError } from "~/errors/app-error";
import type { Member } from "~/http/body/json/json-surgery";
import type { ParsedJson } from "~/http/body/json/parse-json";
import type { Conversation } from "../../canonical/conversation";
import { DIALECTS } from "../../canonical/dialects";
import type { InferenceRequest } from "../../canonical/inference-request";
import {
  check,
  checkFlag,
  checkNumber,
  checkObject,
  membersOf,
  modelOf,
  parseBody,
  regionOf,
  sessionIdOf,
  wholeNumber,
} from "../wire/body-checks";
import { isObject, listAt, numberOrNull, textAt } from "../wire/events/reading";
import { refuseOthers, unsupported } from "../wire/unsupported";

/** A completions body: its text, the positions of its members for edits, and the parsed values. */
export type CompletionsSource = {
  text: string;
  members: readonly Member[];
  body: CompletionsBody;
  prompt: string;
  /** The client requested usage in its stream. */
  wantsUsage: boolean;
};

type CompletionsBody = Readonly<Record<string, unknown>> & { model: string };

/** Documented default of `max_tokens`. https://platform.openai.com/docs/api-reference/completions/create */
const DEFAULT_MAX_TOKENS = 16;

/** Reads a request for a text completion: one prompt, one answer. */
export function readCompletions(text: string, parsed: ParsedJson | null = null): InferenceRequest<CompletionsSource> {
  const body = parseBody(text, parsed);
  const requestedModel = modelOf(body);
  const prompt = promptOf(body.prompt);
  checkNumber({ body, name: "temperature", low: 0, high: 2 });
  checkNumber({ body, name: "top_p", low: 0, high: 1 });
  for (const name of ["stream", "echo"]) checkFlag(body, name);
  for (const name of ["stream_options", "metadata"]) checkObject(body, name);
  const maxOutputTokens = wholeNumber(body, "max_tokens") ?? DEFAULT_MAX_TOKENS;
  for (const name of ["n", "best_of"]) {
    if ((wholeNumber(body, name, { high: 128 }) ?? 1) > 1) throw unsupported(name, "One answer at a time is possible.");
  }
  refuseSpecial(body);
  const options = body.stream_options;
  const source: CompletionsSource = {
    text,
    members: membersOf(text, parsed),
    body: { ...body, model: requestedModel },
    prompt,
    wantsUsage: isObject(options) && options.include_usage === true,
  };
  return {
    dialect: "completions",
    endpoint: DIALECTS.completions.endpoint,
    requestedModel,
    stream: body.stream === true,
    region: regionOf(body),
    sessionId: sessionIdOf(body.metadata as Record<string, unknown> | null | undefined),
    size: { bodyBytes: Buffer.byteLength(text), hasMedia: false, maxOutputTokens, choices: 1 },
    retrySafe: true,
    source,
  };
}

/** Returns the single prompt of a body. Several prompts and token ids have no equivalent in requests to suppliers. */
function promptOf(prompt: unknown): string {
  if (prompt == null)
    throw apiError("missing_fields", { userMessage: "The field prompt is missing.", param: "prompt" });
  if (typeof prompt === "string") return prompt;
  check(Array.isArray(prompt) && prompt.length > 0, "prompt", "must be a text");
  const [first, ...others] = prompt as unknown[];
  if (others.length > 0 || typeof first !== "string")
    throw unsupported("prompt", "Send one text at a time; token ids are not understood.");
  return first;
}

/** Rejects fields that a chat model does not support. Accepts their no-op values. */
function refuseSpecial({ suffix, logprobs, echo, logit_bias }: Readonly<Record<string, unknown>>): void {
  if (suffix != null && suffix !== "") throw unsupported("suffix", "Text is continued at its end only.");
  if (logprobs != null && logprobs !== 0) throw unsupported("logprobs");
  if (echo === true) throw unsupported("echo");
  if (isObject(logit_bias) && Object.keys(logit_bias).length > 0) throw unsupported("logit_bias");
}

/**
 * Converts a request for a completion to a conversation with the prompt as the user's message.
 * @throws AppError unsupported_parameter for unknown fields.
 */
export function readCompletionsConversation({ body, prompt }: CompletionsSource): Conversation {
  refuseOthers(body, UNDERSTOOD);
  const { stop, user } = body;
  return {
    turns: [{ role: "user", parts: [{ kind: "text", text: prompt }] }],
    tools: [],
    toolChoice: null,
    parallelToolCalls: null,
    maxOutputTokens: numberOrNull(body.max_tokens) ?? DEFAULT_MAX_TOKENS,
    temperature: numberOrNull(body.temperature),
    topP: numberOrNull(body.top_p),
    topK: null,
    stopSequences:
      typeof stop === "string" ? [stop] : listAt(stop, "stop").map((text, index) => textAt(text, `stop[${index}]`)),
    endUser: typeof user === "string" ? user : null,
    reasoning: null,
    outputFormat: null,
    leftOut: HINTS.filter(([name, idle]) => body[name] != null && body[name] !== idle).map(([name]) => name),
  };
}

/** Tuning fields and their no-op values. */
const HINTS: readonly (readonly [name: string, idle: unknown])[] = [
  ["frequency_penalty", 0],
  ["presence_penalty", 0],
  ["seed", null],
];

const UNDERSTOOD = new Set([
  ...["model", "prompt", "stream", "stream_options", "metadata", "region", "max_tokens", "n", "best_of"],
  ...["temperature", "top_p", "stop", "user", "suffix", "logprobs", "echo", "logit_bias"],
  ...HINTS.map(([name]) => name),
]);
