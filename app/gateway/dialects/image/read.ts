import { apiError } from "~/errors/app-error";
import type { Member } from "~/http/body/json/json-surgery";
import type { ParsedJson } from "~/http/body/json/parse-json";
import { DIALECTS } from "../../canonical/dialects";
import type { InferenceRequest } from "../../canonical/inference-request";
import {
  check,
  checkObject,
  membersOf,
  modelOf,
  parseBody,
  regionOf,
  sessionIdOf,
  wholeNumber,
} from "../wire/body-checks";
import { refuseAuto } from "../wire/refuse-auto";
import { outputTokensOf } from "./output-tokens";

/** An image body: its text, the positions of its members for edits, and the parsed values. */
export type ImageSource = {
  text: string;
  members: readonly Member[];
  body: Record<string, unknown>;
  prompt: string;
  /** Number of requested images. */
  count: number;
  /** Estimated output tokens per image, for suppliers that bill images by tokens. */
  tokensEach: number;
};

/** Maximum images per request. */
export const MAX_IMAGES = 10;

/**
 * Reads an image request. `n` is from 1 to 10; `size`, `quality`, `style` and other fields are forwarded unchanged.
 * @throws AppError missing_model, missing_fields, invalid_request, unsupported_parameter, unsupported_auto_mode.
 */
export function readImage(text: string, parsed: ParsedJson | null = null): InferenceRequest<ImageSource> {
  const body = parseBody(text, parsed);
  const requestedModel = modelOf(body);
  refuseAuto(requestedModel);
  const { prompt } = body;
  if (prompt == null)
    throw apiError("missing_fields", { userMessage: "The field prompt is missing.", param: "prompt" });
  check(typeof prompt === "string" && prompt !== "", "prompt", "must be a text");
  for (const name of ["size", "quality", "response_format", "output_format"]) {
    check(body[name] == null || typeof body[name] === "string", name, "must be a text");
  }
  checkObject(body, "metadata");
  refuseStream(body);
  const count = wholeNumber(body, "n", { high: MAX_IMAGES }) ?? 1;
  const tokensEach = outputTokensOf(body);
  const source: ImageSource = { text, members: membersOf(text, parsed), body, prompt, count, tokensEach };
  const bodyBytes = Buffer.byteLength(text);
  return {
    dialect: "image",
    endpoint: DIALECTS.image.endpoint,
    requestedModel,
    stream: false,
    region: regionOf(body),
    sessionId: sessionIdOf(body.metadata as Record<string, unknown> | null),
    size: {
      bodyBytes,
      hasMedia: false,
      maxInputTokens: bodyBytes,
      maxOutputTokens: tokensEach,
      choices: count,
      maxRequests: count,
    },
    retrySafe: true,
    source,
  };
}

/** Rejects streams: partial images would be charged before their number is known. */
function refuseStream({ stream, partial_images }: Record<string, unknown>): void {
  const param = stream ? "stream" : partial_images ? "partial_images" : null;
  if (param === null) return;
  throw apiError("unsupported_parameter", {
    userMessage: `Images are answered as a whole. Leave ${param} out.`,
    param,
  });
}
