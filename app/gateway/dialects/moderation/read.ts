import { apiError } from "~/errors/app-error";
import type { Member } from "~/http/body/json/json-surgery";
import type { ParsedJson } from "~/http/body/json/parse-json";
import { DIALECTS } from "../../canonical/dialects";
import type { InferenceRequest } from "../../canonical/inference-request";
import { check, checkObject, membersOf, modelOf, parseBody, regionOf, sessionIdOf } from "../wire/body-checks";
import { refuseAuto } from "../wire/refuse-auto";

/** A moderation body: its text, the positions of its members for edits, and the parsed values. */
export type ModerationSource = {
  text: string;
  members: readonly Member[];
  body: Record<string, unknown>;
  /** Number of requested verdicts: one for each text of a list, or one for a list of parts. */
  count: number;
  texts: readonly string[];
};

const MAX_INPUTS = 2048;

/**
 * Reads a moderation request. The input is a text, a list of texts, or a list of parts (text and images) that get one
 * verdict.
 * @throws AppError missing_model, missing_fields, invalid_request, unsupported_auto_mode.
 */
export function readModeration(text: string, parsed: ParsedJson | null = null): InferenceRequest<ModerationSource> {
  const body = parseBody(text, parsed);
  const requestedModel = modelOf(body);
  refuseAuto(requestedModel);
  checkObject(body, "metadata");
  const { texts, count, hasMedia } = inputsOf(body.input);
  const source: ModerationSource = { text, members: membersOf(text, parsed), body, count, texts };
  const bodyBytes = Buffer.byteLength(text);
  return {
    dialect: "moderation",
    endpoint: DIALECTS.moderation.endpoint,
    requestedModel,
    stream: false,
    region: regionOf(body),
    sessionId: sessionIdOf(body.metadata as Record<string, unknown> | null),
    size: {
      bodyBytes,
      hasMedia,
      ...(hasMedia ? {} : { maxInputTokens: bodyBytes }),
      maxOutputTokens: 0,
      choices: 1,
    },
    retrySafe: true,
    source,
  };
}

function inputsOf(input: unknown): { texts: string[]; count: number; hasMedia: boolean } {
  if (input == null) throw apiError("missing_fields", { userMessage: "The field input is missing.", param: "input" });
  if (typeof input === "string") return { texts: [checkedText(input, "input")], count: 1, hasMedia: false };
  check(Array.isArray(input), "input", "must be a text, a list of texts or a list of parts");
  check(input.length > 0, "input", "must not be empty");
  check(input.length <= MAX_INPUTS, "input", `takes at most ${MAX_INPUTS} texts`);
  if (typeof input[0] === "string") {
    const texts = input.map((each, index) => checkedText(each, `input[${index}]`));
    return { texts, count: texts.length, hasMedia: false };
  }
  const texts = input.map((part, index) => textOfPart(part, `input[${index}]`));
  const written = texts.filter((each): each is string => each !== null);
  return { texts: written, count: 1, hasMedia: written.length < texts.length };
}

function checkedText(value: unknown, param: string): string {
  check(typeof value === "string" && value !== "", param, "must be a text");
  return value;
}

/** Returns the text of a part; null for an image. */
function textOfPart(part: unknown, param: string): string | null {
  check(typeof part === "object" && part !== null && !Array.isArray(part), param, "must be a text or a part");
  const { type, text, image_url } = part as Record<string, unknown>;
  if (type === "text") return checkedText(text, `${param}.text`);
  check(type === "image_url", `${param}.type`, "must be text or image_url");
  const { url } = (typeof image_url === "object" && image_url !== null ? image_url : {}) as { url?: unknown };
  check(typeof url === "string" && url !== "", `${param}.image_url.url`, "must be an address");
  return null;
}
