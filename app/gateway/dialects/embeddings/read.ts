import { apiError } from "~/errors/app-error";
import type { Member } from "~/http/body/json/json-surgery";
import type { ParsedJson } from "~/http/body/json/parse-json";
import { DIALECTS } from "../../canonical/dialects";
import type { InferenceRequest } from "../../canonical/inference-request";
import type { TokenCounter } from "../dialect";
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

/** An embeddings body: its text, the positions of its members for edits, and the parsed values. */
export type EmbeddingsSource = {
  text: string;
  members: readonly Member[];
  body: Record<string, unknown>;
  /** Number of requested vectors. */
  count: number;
  /** Inputs that are texts; the others are lists of tokens. */
  texts: readonly string[];
  /** Number of tokens if all inputs are lists of tokens; else null. */
  givenTokens: number | null;
  /** Encoding of vectors for the client. The chat SDKs request base64 by default. */
  format: "float" | "base64";
};

const MAX_INPUTS = 2048;
/** Maximum tokens per input. */
const MAX_TOKENS_EACH = 2048;

/**
 * Reads an embeddings request. An input is a text or, as tokenizing clients send it, a list of token ids; one or many.
 * @throws AppError missing_model, missing_fields, invalid_request, unsupported_auto_mode.
 */
export function readEmbeddings(text: string, parsed: ParsedJson | null = null): InferenceRequest<EmbeddingsSource> {
  const body = parseBody(text, parsed);
  const requestedModel = modelOf(body);
  refuseAuto(requestedModel);
  const inputs = inputsOf(body.input);
  const format = body.encoding_format ?? "float";
  check(format === "float" || format === "base64", "encoding_format", "must be float or base64");
  wholeNumber(body, "dimensions", { high: 100_000 });
  checkObject(body, "metadata");
  const bodyBytes = Buffer.byteLength(text);
  const texts = inputs.filter((input): input is string => typeof input === "string");
  const source: EmbeddingsSource = {
    text,
    members: membersOf(text, parsed),
    body,
    count: inputs.length,
    texts,
    givenTokens: texts.length === 0 ? inputs.reduce((sum, input) => sum + input.length, 0) : null,
    format,
  };
  return {
    dialect: "embeddings",
    endpoint: DIALECTS.embeddings.endpoint,
    requestedModel,
    stream: false,
    region: regionOf(body),
    sessionId: sessionIdOf(body.metadata as Record<string, unknown> | null),
    // All inputs together may exceed the model's window, which limits only each single one.
    size: { bodyBytes, hasMedia: false, maxInputTokens: bodyBytes, maxOutputTokens: 0, choices: 1 },
    retrySafe: true,
    source,
  };
}

type Input = string | number[];

function inputsOf(input: unknown): Input[] {
  if (input == null) throw apiError("missing_fields", { userMessage: "The field input is missing.", param: "input" });
  if (typeof input === "string" || startsWithToken(input)) return [checkedInput(input, "input")];
  check(Array.isArray(input), "input", "must be a text or a list of texts");
  check(input.length > 0, "input", "must not be empty");
  check(input.length <= MAX_INPUTS, "input", `takes at most ${MAX_INPUTS} texts`);
  return input.map((each, index) => checkedInput(each, `input[${index}]`));
}

function checkedInput(input: unknown, param: string): Input {
  if (startsWithToken(input) && input.length > MAX_TOKENS_EACH) throw tooLong(param, input.length);
  check(typeof input === "string" || isTokens(input), param, "must be a text or a list of tokens");
  check(input.length > 0, param, "must not be empty");
  return input;
}

/** Whether a list starts with a token; its length is checked before its other elements. */
const startsWithToken = (input: unknown): input is unknown[] => Array.isArray(input) && typeof input[0] === "number";

const isTokens = (input: unknown): input is number[] =>
  Array.isArray(input) && input.length > 0 && input.every((token) => Number.isSafeInteger(token) && token >= 0);

/**
 * Rejects a text of more than 2048 tokens by gw's own count. A text never has more tokens than bytes, so short ones are
 * not counted. Texts that gw cannot count are left to the supplier.
 * @throws AppError context_length_exceeded
 */
export async function checkInputTokens(
  { texts, body }: Pick<EmbeddingsSource, "texts" | "body">,
  countTokens: TokenCounter,
): Promise<void> {
  for (const [index, text] of texts.entries()) {
    if (text.length <= MAX_TOKENS_EACH / 3 || Buffer.byteLength(text) <= MAX_TOKENS_EACH) continue;
    const tokens = await countTokens(text, MAX_TOKENS_EACH);
    if (tokens !== null && tokens > MAX_TOKENS_EACH)
      throw tooLong(Array.isArray(body.input) ? `input[${index}]` : "input", null);
  }
}

const tooLong = (param: string, tokens: number | null) =>
  apiError("context_length_exceeded", {
    userMessage: `The field ${param} has ${tokens ?? `more than ${MAX_TOKENS_EACH}`} tokens; at most ${MAX_TOKENS_EACH} are allowed. Split the text.`,
    param,
  });
