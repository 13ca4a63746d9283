import type { Answer, SandboxAsk, SandboxDialect } from "./act";
import { hashOf } from "./chance";
import { bad } from "./chat-request";
import { chatError } from "./chat-wire";
import { countTokens } from "./tokens";

type EmbeddingsRequest = { input?: unknown; encoding_format?: unknown; dimensions?: unknown };

const DIMENSIONS = 256;
const MOST_DIMENSIONS = 4_096;

/** Embeddings: vectors of length one, close to each other for texts that share words and parts of words. */
export const embeddings: SandboxDialect = {
  answer: answerEmbeddings,
  errorBody: chatError,
  errorEvent: chatError,
};

function answerEmbeddings(ask: SandboxAsk): Answer {
  const request = JSON.parse(ask.body.toString()) as EmbeddingsRequest;
  const inputs = inputsOf(request.input);
  const dimensions = Math.min(Number(request.dimensions ?? DIMENSIONS), MOST_DIMENSIONS);
  if (!Number.isInteger(dimensions) || dimensions < 1) throw bad("dimensions must be a whole number from 1");
  const data = inputs.map((input, index) => {
    const vector = vectorOf(input, dimensions);
    const embedding = request.encoding_format === "base64" ? base64Of(vector) : [...vector];
    return { object: "embedding", index, embedding };
  });
  const answer = { object: "list", data, model: ask.model, usage: usageOf(ask, inputs) };
  return { contentType: "application/json", body: Buffer.from(JSON.stringify(answer)) };
}

function usageOf(ask: SandboxAsk, inputs: readonly Input[]): object | undefined {
  if (ask.usage === "none") return undefined;
  if (ask.usage === "insane") return { prompt_tokens: -1, total_tokens: Number.MAX_SAFE_INTEGER };
  const tokens = inputs.reduce(
    (sum, input) => sum + (typeof input === "string" ? countTokens(input) : input.length),
    0,
  );
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

/** Each feature of a text adds to, or takes from, one dimension; words count more than their parts. */
function vectorOf(input: Input, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const [feature, weight] of featuresOf(input)) {
    const hash = hashOf(feature);
    vector[(hash >>> 1) % dimensions]! += hash & 1 ? weight : -weight;
  }
  const length = Math.hypot(...vector);
  if (length === 0) vector[0] = 1;
  else for (let index = 0; index < dimensions; index += 1) vector[index]! /= length;
  return vector;
}

function featuresOf(input: Input): Map<string, number> {
  const features = new Map<string, number>();
  const add = (feature: string, weight: number) => features.set(feature, (features.get(feature) ?? 0) + weight);
  if (typeof input !== "string") {
    for (const token of input) add(`token ${token}`, 1);
    return features;
  }
  for (const [word] of input.toLowerCase().matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    add(`word ${word}`, 1);
    const padded = ` ${word} `;
    for (let at = 0; at + 3 <= padded.length; at += 1) add(`part ${padded.slice(at, at + 3)}`, 0.3);
  }
  return features;
}

/** Little-endian float32, as the chat SDKs decode it. */
function base64Of(vector: Float32Array): string {
  const bytes = Buffer.allocUnsafe(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString("base64");
}
