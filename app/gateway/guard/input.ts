import { type CompiledRule, checkTexts, readyRules } from "~/domain/guardrails/index.server";
import type { Guardrails } from "~/domain/guardrails/shared";
import { AppError, apiError } from "~/errors/app-error";
import { exactJson, exactValue } from "~/http/exact-numbers";
import { editMembers, type Member } from "~/http/json-surgery";
import { parseLongJson } from "~/http/parse-json";
import { ownTurn } from "~/time-slice";
import type { AdmittedCall } from "../admit/admission";
import type { CallContext } from "../call-context";
import type { GuardedRequest, InferenceRequest } from "../canonical/inference-request";
import type { ImageEditSource } from "../dialects/image/edit-read";
import type { TranscriptionSource } from "../dialects/transcription/read";
import { isObject } from "../dialects/wire/reading";
import { LABEL, type PlacedText, textsIn } from "./texts";
import { askWebhooks } from "./webhooks";

/** What a body of every JSON dialect has. */
type JsonSource = { text: string; members: readonly Member[]; body: Record<string, unknown> };

/** What says how and by what a request is carried out. What is written there as no setting is written is a text. */
const SETTINGS: ReadonlySet<string> = new Set(
  [
    "model region metadata user stream stream_options store background service_tier previous_response_id conversation",
    "tool_choice response_format reasoning reasoning_effort prompt_cache_key safety_identifier include truncation voice",
    "modalities audio size quality style encoding_format container thread thinking context_management stop stop_sequences",
  ].flatMap((names) => names.split(" ")),
);

/**
 * Applies the guardrails of a call's key to what it asks: the request comes back as it is to be carried out, redacted where a rule
 * says so, which never makes it longer, and allowed by the webhooks that hold for the key. What was found and decided is noted with
 * the call. Without guardrails it is the same request at once.
 * @throws AppError request_rejected by the rule or the webhook that refuses it; request_too_large for more text than the rules can
 *   check; service_unavailable where a webhook that has to answer does not
 */
export function guardInput<Asked extends CallContext>(asked: Asked): GuardedCall<Asked> | Promise<GuardedCall<Asked>> {
  const { guardrails } = asked.caller;
  return guardrails == null ? (asked as GuardedCall<Asked>) : guardedBy(guardrails, asked);
}

/** A call whose request has passed the guard. */
export type GuardedCall<Asked extends CallContext> = Asked & { readonly inference: GuardedRequest };

async function guardedBy<Asked extends CallContext>(guardrails: Guardrails, asked: Asked): Promise<GuardedCall<Asked>> {
  const { input: rules } = await readyRules(guardrails);
  if (rules.length > 0 || guardrails.webhooks?.length) refuseTokenIds(asked.inference.source);
  const guarded = await applyRules(asked, rules);
  await askWebhooks(guarded, () => partsOf(guarded.inference.source).flatMap(textsOf));
  return guarded as GuardedCall<Asked>;
}

/**
 * The request as it was sent, and what its rules found, once the supplier has worked for it: what is stored of it is as redacted as what
 * the model has read. Refuses nothing any more.
 */
export async function guardedAsSent(admitted: AdmittedCall): Promise<AdmittedCall> {
  const { guardrails } = admitted.caller;
  if (guardrails == null) return admitted;
  try {
    return await applyRules(admitted, (await readyRules(guardrails)).input);
  } catch (problem) {
    if (problem instanceof AppError) return admitted;
    throw problem;
  }
}

async function applyRules<Asked extends CallContext>(asked: Asked, rules: readonly CompiledRule[]): Promise<Asked> {
  const { call, inference } = asked;
  if (rules.length === 0) return asked;
  const { source } = inference;
  const parts = partsOf(source);
  const checked = await checkTexts(rules, { texts: parts.flatMap(textsOf), side: "input" });
  call.guardrailHits.push(...checked.hits);
  if (checked.refusedBy !== null) throw rejectionBy(checked.refusedBy, "input");
  if (!checked.changed) return asked;
  const edits: Record<string, string> = {};
  let at = 0;
  for (const { name, places, value } of parts) {
    for (const { text, replace } of places) {
      const clean = checked.texts[at++]!;
      if (clean === text) continue;
      replace(clean);
      edits[name] = "";
    }
    if (edits[name] !== undefined) edits[name] = exactJson(JSON.stringify(value()));
  }
  if (!isJson(source)) return asked;
  await ownTurn(inference.size.bodyBytes);
  return { ...asked, inference: await readAgain(asked, editMembers(source.text, source.members, edits)) };
}

/** A part of a request, the texts in it, and its value with what they have been exchanged for. */
type Part = { name: string; places: PlacedText[]; value(): unknown };
const textsOf = ({ places }: Part): string[] => places.map(({ text }) => text);

/** The changed body, read as the client's own was. */
async function readAgain({ dialect, inference }: CallContext, text: string): Promise<InferenceRequest> {
  const { source } = dialect.read(text, await parseLongJson(text));
  return { ...inference, source };
}

/** The error of what a rule refuses. It is named, because whoever made the rule gave it a name for that. */
export function rejectionBy(by: CompiledRule | "work", on: "input" | "output"): AppError {
  if (by === "work")
    return apiError("request_too_large", {
      userMessage: "This is more text than the guardrails of this key can check. Send less at once.",
    });
  return apiError("request_rejected", {
    userMessage:
      on === "input"
        ? `The guardrail “${by.name}” does not allow this request.`
        : `The guardrail “${by.name}” does not allow the answer to this request.`,
    details: { guardrail: by.name, guardrail_of: by.by, guardrail_on: on },
  });
}

const isJson = (source: unknown): source is JsonSource =>
  typeof source === "object" && source !== null && "text" in source && "body" in source;

const partsOf = (source: unknown): Part[] => (isJson(source) ? jsonParts(source) : formParts(source));

function jsonParts({ body: given, text }: JsonSource): Part[] {
  const body = exactValue(given, text, { depth: 1 });
  return Object.keys(body).map((name) => {
    const holder = { [name]: body[name] };
    const places = textsIn(holder);
    return { name, places: isSetting(name, body[name]) ? places.filter(isNoLabel) : places, value: () => holder[name] };
  });
}

/** A schema in `response_format` is the client's text like that of a tool. */
const isSetting = (name: string, value: unknown): boolean =>
  SETTINGS.has(name) && !(name === "response_format" && isObject(value));
const isNoLabel = ({ text }: PlacedText): boolean => !LABEL.test(text);

/** Of a form with files: what is said beside them. Sounds and images themselves are not checked. */
function formParts(source: unknown): Part[] {
  const { fields } = source as TranscriptionSource | ImageEditSource;
  return fields
    .filter(([name, value]) => !(SETTINGS.has(name) && LABEL.test(value)))
    .map((field) => {
      const replace = (text: string) => void (field as [string, string]).splice(1, 1, text);
      return { name: field[0], places: [{ text: field[1], replace }], value: () => field[1] };
    });
}

/** What a model reads, or may read with some suppliers, and what stands there as the numbers of tokens already. */
const READ = ["input", "prompt", "suffix", "query", "documents"];
const READ_AS_TOKENS = ["prompt_token_ids", "prompt_embeds", "input_ids", "input_embeds", "token_ids", "tokens"];

/** @throws AppError unsupported_parameter for tokens, whose text no rule can look at */
function refuseTokenIds(source: unknown): void {
  if (!isJson(source)) return;
  const { body } = source;
  const messages = Array.isArray(body.messages) ? body.messages : [];
  const param =
    READ_AS_TOKENS.find((name) => body[name] != null) ??
    READ.find((name) => hasNumbers(body[name])) ??
    (messages.some((message) => isObject(message) && hasNumbers(message.content)) ? "messages" : undefined);
  if (param === undefined) return;
  throw apiError("unsupported_parameter", {
    userMessage: `The guardrails of this key cannot check token ids: send the text itself in ${param}.`,
    param,
  });
}

const hasNumbers = (value: unknown): boolean =>
  Array.isArray(value) && value.some((item) => typeof item === "number" || hasNumbers(item));
