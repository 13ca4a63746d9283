import { TimeSlice } from "~/values/time-slice";
import { type Answer, requestIn, type SandboxDialect, type SandboxRequest } from "./act";
import { quickHashOf } from "./chance";
import { bad } from "./chat-request";
import { chatError } from "./chat-wire";
import { TokenCount } from "./tokens";

type EmbeddingsRequest = { input?: unknown; encoding_format?: unknown; dimensions?: unknown };

const DIMENSIONS = 256;
const MAX_DIMENSIONS = 4_096;
/** Maximum numbers in one answer: 20 MB of floats. */
const MAX_NUMBERS = 1_048_576;
/** Maximum characters of a text, and tokens of a list of tokens, that are read. */
const MAX_CHARACTERS_READ = 4_000;
const MAX_TOKENS_READ = 2_048;

/** Embeddings: unit vectors, close to each other for texts with common words and parts of words. */
export const embeddings: SandboxDialect = {
  answer: answerEmbeddings,
  errorBody: chatError,
  errorEvent: chatError,
};

async function answerEmbeddings(inference: SandboxRequest): Promise<Answer> {
  const request = (await requestIn(inference)) as EmbeddingsRequest;
  const inputs = inputsOf(request.input);
  const dimensions = Number(request.dimensions ?? DIMENSIONS);
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS)
    throw bad(`dimensions must be a whole number from 1 to ${MAX_DIMENSIONS}`);
  if (inputs.length * dimensions > MAX_NUMBERS) throw bad("these are too many texts for so many dimensions");
  const items: string[] = [];
  const slice = new TimeSlice();
  for (const [index, input] of inputs.entries()) {
    const vector = vectorOf(input, dimensions);
    const embedding = request.encoding_format === "base64" ? base64Of(vector) : [...vector];
    items.push(JSON.stringify({ object: "embedding", index, embedding }));
    if (slice.isOver) await slice.next();
  }
  const about = JSON.stringify({ object: "list", model: inference.model, usage: usageOf(inference, inputs) });
  const body = Buffer.from(`${about.slice(0, -1)},"data":[${items.join(",")}]}`);
  return { contentType: "application/json", body };
}

function usageOf(inference: SandboxRequest, inputs: readonly Input[]): object | undefined {
  if (inference.usage === "none") return undefined;
  if (inference.usage === "insane") return { prompt_tokens: -1, total_tokens: Number.MAX_SAFE_INTEGER };
  const count = new TokenCount();
  const tokens = inputs.reduce((sum, input) => sum + (typeof input === "string" ? count.of(input) : input.length), 0);
  return { prompt_tokens: tokens, total_tokens: tokens };
}

type Input = string | readonly number[];

const isTokens = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((token) => typeof token === "number");

function inputsOf(input: unknown): readonly Input[] {
  if (typeof input === "string" || isTokens(input)) return [input];
  if (Array.isArray(input) && input.length > 0 && input.every((each) => typeof each === "string" || isTokens(each))) {
    return input as Input[];
  }
  throw bad("input must be a text or a list of texts");
}

/** Each feature of a text adds to, or subtracts from, one dimension; words count more than their parts. */
function vectorOf(input: Input, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  addFeatures(input, (feature, weight) => {
    const hash = quickHashOf(feature);
    vector[(hash >>> 1) % dimensions]! += hash & 1 ? weight : -weight;
  });
  const length = Math.hypot(...vector);
  if (length === 0) vector[0] = 1;
  else for (let index = 0; index < dimensions; index += 1) vector[index]! /= length;
  return vector;
}

function addFeatures(input: Input, add: (feature: string, weight: number) => void): void {
  if (typeof input !== "string") {
    for (const token of input.slice(0, MAX_TOKENS_READ)) add(`token ${token}`, 1);
    return;
  }
  for (const [word] of input
    .slice(0, MAX_CHARACTERS_READ)
    .toLowerCase()
    .matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    add(`word ${word}`, 1);
    const padded = ` ${word} `;
    for (let at = 0; at + 3 <= padded.length; at += 1) add(`part ${padded.slice(at, at + 3)}`, 0.3);
  }
}

/** Little-endian float32, as the chat SDKs decode it. */
function base64Of(vector: Float32Array): string {
  const bytes = Buffer.allocUnsafe(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString("base64");
}
