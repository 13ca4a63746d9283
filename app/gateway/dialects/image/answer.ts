import { NO_USAGE, type Usage } from "../../canonical/usage";
import type { WholeAnswer } from "../dialect";
import { longAnswerObject, notAnAnswer } from "../wire/events/whole-json";
import type { ImageSource } from "./read";

/**
 * Reads an answer with images, each as base64 or as a URL; the bytes pass through unchanged. Each image counts as one
 * request of the supplier, the unit of `per_request` prices. Tokens are those that the supplier reports.
 * @throws SupplierFailure `protocol`
 */
export async function readImageAnswer(
  { count, tokensEach, inputTokens = 0 }: Pick<ImageSource, "count" | "tokensEach"> & { inputTokens?: number },
  body: Buffer,
): Promise<WholeAnswer> {
  const { data, usage } = await longAnswerObject(body);
  if (!Array.isArray(data) || data.length === 0 || data.length > count || !data.every(isImage)) {
    throw notAnAnswer("the supplier's images cannot be read");
  }
  const reported = usageOf(usage);
  const counted = reported ?? { ...NO_USAGE, inputTokens, outputTokens: tokensEach * data.length };
  return {
    body,
    usage: { ...counted, requests: data.length },
    estimated: reported === null,
    outputText: () => "",
  };
}

function isImage(item: unknown): boolean {
  const { b64_json, url } = (typeof item === "object" && item !== null ? item : {}) as Record<string, unknown>;
  return [b64_json, url].some((value) => typeof value === "string" && value !== "");
}

/** Reads the usage of image suppliers; null if it is missing or invalid. */
function usageOf(wire: unknown): Usage | null {
  if (typeof wire !== "object" || wire === null) return null;
  const { input_tokens, output_tokens, input_tokens_details } = wire as Record<string, unknown>;
  const { cached_tokens } = (input_tokens_details ?? {}) as Record<string, unknown>;
  const [inputTokens, outputTokens, cachedInputTokens] = [input_tokens, output_tokens, cached_tokens ?? 0];
  if (!isCount(inputTokens) || !isCount(outputTokens) || !isCount(cachedInputTokens)) return null;
  if (cachedInputTokens > inputTokens) return null;
  return { ...NO_USAGE, inputTokens, outputTokens, cachedInputTokens };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
