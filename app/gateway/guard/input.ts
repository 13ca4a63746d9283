import { type CompiledRule, checkTexts, readyRules } from "~/domain/guardrails/index.server";
import type { Guardrails } from "~/domain/guardrails/shared";
import { AppError, apiError } from "~/errors/app-error";
import { exactJson, exactValue } from "~/http/body/json/exact-numbers";
import { editMembers, type Member } from "~/http/body/json/json-surgery";
import { parseLongJson } from "~/http/body/json/parse-json";
import { ownTurn } from "~/values/time-slice";
import type { AdmittedCall } from "../admit/admission";
import type { CallContext } from "../call-context";
import { SETTINGS } from "../canonical/dialects";
import type { GuardedRequest, InferenceRequest } from "../canonical/inference-request";
import type { ImageEditSource } from "../dialects/image/edit-read";
import type { TranscriptionSource } from "../dialects/transcription/read";
import { isObject } from "../dialects/wire/events/reading";
import { LABEL, type PlacedText, textsIn } from "./texts";
import { askWebhooks } from "./webhooks";

/** Members that a body of every JSON dialect has. */
type JsonSource = { text: string; members: readonly Member[]; body: Record<string, unknown> };

/**
 * Applies the guardrails of a call's key to its request. Returns the call with the request to carry out: redacted where
 * a rule demands it (never longer than before), and allowed by the key's webhooks. Matches and decisions are recorded
 * with the call. Without guardrails it returns the same call synchronously.
 * @throws AppError request_rejected by the rule or webhook that refuses; request_too_large for more text than the rules
 * can check; service_unavailable if a mandatory webhook does not answer
 */
export function guardInput<Asked extends CallContext>(
  context: Asked,
): GuardedCall<Asked> | Promise<GuardedCall<Asked>> {
  const { guardrails } = context.caller;
  return guardrails == null ? (context as GuardedCall<Asked>) : guardedBy(guardrails, context);
}

/** A call whose request has passed the guard. */
export type GuardedCall<Asked extends CallContext> = Asked & { readonly inference: GuardedRequest };

async function guardedBy<Asked extends CallContext>(
  guardrails: Guardrails,
  context: Asked,
): Promise<GuardedCall<Asked>> {
  const { input: rules } = await readyRules(guardrails);
  if (rules.length > 0 || guardrails.webhooks?.length) refuseTokenIds(context.inference.source);
  const guarded = await applyRules(context, rules);
  await askWebhooks(guarded, () => partsOf(guarded.inference.source).flatMap(textsOf));
  return guarded as GuardedCall<Asked>;
}

/**
 * Applies the rules to a request after the supplier has executed it, so that the stored request is as redacted as the
 * one that the model read. Never refuses.
 */
export async function guardedAsSent(admitted: AdmittedCall): Promise<AdmittedCall> {
  const { guardrails } = admitted.caller;
  if (guardrails == null) return admitted;
  try {
    return await applyRules(admitted, (await readyRules(guardrails)).input);
  } catch (error) {
    if (error instanceof AppError) return admitted;
    throw error;
  }
}

async function applyRules<Asked extends CallContext>(context: Asked, rules: readonly CompiledRule[]): Promise<Asked> {
  const { call, inference } = context;
  if (rules.length === 0) return context;
  const { source } = inference;
  const parts = partsOf(source);
  const checked = await checkTexts(rules, { texts: parts.flatMap(textsOf), side: "input" });
  call.guardrailHits.push(...checked.hits);
  if (checked.refusedBy !== null) throw rejectionBy(checked.refusedBy, "input");
  if (!checked.changed) return context;
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
  if (!isJson(source)) return context;
  await ownTurn(inference.size.bodyBytes);
  return { ...context, inference: await readAgain(context, editMembers(source.text, source.members, edits)) };
}

/** A member of a request, its texts, and the function that returns its value after replacements. */
type Part = { name: string; places: PlacedText[]; value(): unknown };
const textsOf = ({ places }: Part): string[] => places.map(({ text }) => text);

/** Parses the changed body in the same way as the client's own. */
async function readAgain({ dialect, inference }: CallContext, text: string): Promise<InferenceRequest> {
  const { source } = dialect.read(text, await parseLongJson(text));
  return { ...inference, source };
}

/** Builds the error for a refusal by a rule. It shows the rule's name, which its author chose for that. */
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

function jsonParts({ body: original, text }: JsonSource): Part[] {
  const body = exactValue(original, text, { depth: 1 });
  return Object.keys(body).map((name) => {
    const holder = { [name]: body[name] };
    const places = textsIn(holder);
    return { name, places: isSetting(name, body[name]) ? places.filter(isNoLabel) : places, value: () => holder[name] };
  });
}

/**
 * Whether the value of a member may be a setting; what is not in the form of one is checked as text. A schema in
 * `response_format` is the client's text, like the schema of a tool.
 */
const isSetting = (name: string, value: unknown): boolean =>
  SETTINGS.has(name) && !(name === "response_format" && isObject(value));
const isNoLabel = ({ text }: PlacedText): boolean => !LABEL.test(text);

/** Text fields of a form with files. Sounds and images are not checked. */
function formParts(source: unknown): Part[] {
  const { fields } = source as TranscriptionSource | ImageEditSource;
  return fields
    .filter(([name, value]) => !(SETTINGS.has(name) && LABEL.test(value)))
    .map((field) => {
      const replace = (text: string) => void (field as [string, string]).splice(1, 1, text);
      return { name: field[0], places: [{ text: field[1], replace }], value: () => field[1] };
    });
}

/** Members that a model reads, at least with some suppliers, and members that contain token ids instead of text. */
const READ = ["input", "prompt", "suffix", "query", "documents"];
const READ_AS_TOKENS = ["prompt_token_ids", "prompt_embeds", "input_ids", "input_embeds", "token_ids", "tokens"];

/** @throws AppError unsupported_parameter for token ids, whose text the rules cannot check */
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
