import { apiError } from "~/errors/app-error";
import type { Member } from "~/http/json-surgery";
import type { ParsedJson } from "~/http/parse-json";
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

/** What the embeddings dialect keeps of a body. */
export type EmbeddingsSource = {
  text: string;
  members: readonly Member[];
  body: Record<string, unknown>;
  /** How many vectors are asked for. */
  count: number;
  /** The inputs that are texts; the others are lists of tokens. */
  texts: readonly string[];
  /** Tokens in the inputs when all of them came as tokens; else null. */
  givenTokens: number | null;
  /** How the client reads its vectors. The chat SDKs ask for base64 unless told otherwise. */
  format: "float" | "base64";
};

const MAX_INPUTS = 2048;
/** The most tokens of each input. */
const MAX_TOKENS_EACH = 2048;

/**
 * Reads an embeddings request. An input is a text or, as tokenizing clients send it, a list of token ids; one or many.
 * @throws AppError missing_model, missing_fields, invalid_request, unsupported_auto_mode.
 */
export function readEmbeddings(text: string, parsed: ParsedJson | null = null): InferenceRequest {
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
    endpoint: "embeddings",
    requestedModel,
    stream: false,
    region: regionOf(body),
    sessionId: sessionIdOf(body.metadata as Record<string, unknown> | null),
    // Many inputs may together be longer than the model's window, which bounds each of them.
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

/** A list that begins as one of tokens does; whether it is one is not looked at before its length. */
const startsWithToken = (input: unknown): input is unknown[] => Array.isArray(input) && typeof input[0] === "number";

const isTokens = (input: unknown): input is number[] =>
  Array.isArray(input) && input.length > 0 && input.every((token) => Number.isSafeInteger(token) && token >= 0);

/**
 * Refuses a text of more than 2048 tokens, by gw's own count. No text has more tokens than bytes, so short ones are not
 * counted at all; what cannot be counted either is left to the supplier.
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
