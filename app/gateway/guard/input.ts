import { type CompiledRule, checkTexts, rulesFor } from "~/domain/guardrails/index.server";
import type { Guardrails } from "~/domain/guardrails/shared";
import { AppError, apiError } from "~/errors/app-error";
import { editMembers, type Member } from "~/http/json-surgery";
import { parseLongJson } from "~/http/parse-json";
import { ownTurn } from "~/time-slice";
import type { AdmittedCall } from "../admit/admission";
import type { InferenceRequest } from "../canonical/inference-request";
import type { ImageEditSource } from "../dialects/image/edit-read";
import type { TranscriptionSource } from "../dialects/transcription/read";
import { type PlacedText, textsIn } from "./texts";
import { askWebhooks } from "./webhooks";

/** What a body of every JSON dialect has. */
type JsonSource = { text: string; members: readonly Member[]; body: Record<string, unknown> };

/** What says how and by what a request is carried out, and holds nothing that a model reads. */
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
export function guardInput(admitted: AdmittedCall): AdmittedCall | Promise<AdmittedCall> {
  const { guardrails } = admitted.caller;
  return guardrails == null ? admitted : guardedBy(guardrails, admitted);
}

async function guardedBy(guardrails: Guardrails, admitted: AdmittedCall): Promise<AdmittedCall> {
  const guarded = await applyRules(admitted, rulesFor(guardrails, "input"));
  await askWebhooks(guarded, () => partsOf(guarded.inference.source).flatMap(textsOf));
  return guarded;
}

/**
 * The request as it was sent, and what its rules found, once the supplier has worked for it: what is stored of it is as redacted as what
 * the model has read. Refuses nothing any more.
 */
export async function guardedAsSent(admitted: AdmittedCall): Promise<AdmittedCall> {
  const { guardrails } = admitted.caller;
  if (guardrails == null) return admitted;
  try {
    return await applyRules(admitted, rulesFor(guardrails, "input"));
  } catch (problem) {
    if (problem instanceof AppError) return admitted;
    throw problem;
  }
}

async function applyRules(admitted: AdmittedCall, rules: readonly CompiledRule[]): Promise<AdmittedCall> {
  const { call, inference } = admitted;
  if (rules.length === 0) return admitted;
  const { source } = inference;
  const parts = partsOf(source);
  const checked = await checkTexts(rules, { texts: parts.flatMap(textsOf), side: "input" });
  call.guardrailHits.push(...checked.hits);
  if (checked.refusedBy !== null) throw rejectionBy(checked.refusedBy, "input");
  if (!checked.changed) return admitted;
  const edits: Record<string, string> = {};
  let at = 0;
  for (const { name, places, value } of parts) {
    for (const { text, replace } of places) {
      const clean = checked.texts[at++]!;
      if (clean === text) continue;
      replace(clean);
      edits[name] = "";
    }
    if (edits[name] !== undefined) edits[name] = JSON.stringify(value());
  }
  if (!isJson(source)) return admitted;
  await ownTurn(inference.size.bodyBytes);
  return { ...admitted, inference: await readAgain(admitted, editMembers(source.text, source.members, edits)) };
}

/** A part of a request, the texts in it, and its value with what they have been exchanged for. */
type Part = { name: string; places: PlacedText[]; value(): unknown };
const textsOf = ({ places }: Part): string[] => places.map(({ text }) => text);

/** The changed body, read as the client's own was. */
async function readAgain({ dialect, inference }: AdmittedCall, text: string): Promise<InferenceRequest> {
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

const partsOf = (source: unknown): Part[] => (isJson(source) ? jsonParts(source.body) : formParts(source));

function jsonParts(body: Record<string, unknown>): Part[] {
  return Object.keys(body)
    .filter((name) => !SETTINGS.has(name))
    .map((name) => {
      const holder = { [name]: body[name] };
      return { name, places: textsIn(holder), value: () => holder[name] };
    });
}

/** Of a form with files: what the model is told beside them. Sounds and images themselves are not checked. */
function formParts(source: unknown): Part[] {
  const { fields } = source as TranscriptionSource | ImageEditSource;
  return fields
    .filter(([name]) => name === "prompt")
    .map((field) => {
      const replace = (text: string) => void (field as [string, string]).splice(1, 1, text);
      return { name: "prompt", places: [{ text: field[1], replace }], value: () => field[1] };
    });
}
