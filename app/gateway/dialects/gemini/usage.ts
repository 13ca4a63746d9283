import type { Usage } from "../../canonical/usage";
import { isObject } from "../wire/reading";

/**
 * `usageMetadata`, or null when there is none or nonsense. The prompt's count includes what was cached; thoughts stand beside the
 * answer, and what the supplier's own tools have read beside the prompt.
 */
export function readGeminiUsage(wire: unknown): Usage | null {
  if (!isObject(wire)) return null;
  const prompt = count(wire.promptTokenCount);
  const toolInput = count(wire.toolUsePromptTokenCount ?? 0);
  const cachedInputTokens = count(wire.cachedContentTokenCount ?? 0);
  const answer = count(wire.candidatesTokenCount ?? 0);
  const reasoningTokens = count(wire.thoughtsTokenCount ?? 0);
  if (prompt < 0 || toolInput < 0 || cachedInputTokens < 0 || answer < 0 || reasoningTokens < 0) return null;
  if (cachedInputTokens > prompt) return null;
  const inputTokens = prompt + toolInput;
  const outputTokens = answer + reasoningTokens;
  const usage: Usage = { inputTokens, cachedInputTokens, cacheWriteTokens: 0, outputTokens, reasoningTokens };
  const heard = soundIn(wire.promptTokensDetails);
  const spoken = soundIn(wire.candidatesTokensDetails);
  if (heard < 0 || spoken < 0 || heard > inputTokens || spoken > outputTokens) return null;
  if (heard > 0) usage.audioInputTokens = heard;
  if (spoken > 0) usage.audioOutputTokens = spoken;
  return usage;
}

/** The tokens of sound among those that a list tells apart. */
function soundIn(details: unknown): number {
  if (!Array.isArray(details)) return 0;
  const sound = details.filter(isObject).find(({ modality }) => modality === "AUDIO");
  return sound === undefined ? 0 : count(sound.tokenCount ?? 0);
}

/** A token count, or -1 for anything that is not one. */
const count = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : -1;
