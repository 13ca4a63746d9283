import type { Usage } from "../../canonical/usage";
import { isObject } from "../wire/events/reading";

/**
 * Reads `usageMetadata`; null if it is missing or invalid. The prompt's count includes cached tokens. Thoughts are
 * counted separately from the answer, and the input of the supplier's own tools separately from the prompt.
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

/** Returns the audio tokens in a list of counts by modality. */
function soundIn(details: unknown): number {
  if (!Array.isArray(details)) return 0;
  const sound = details.filter(isObject).find(({ modality }) => modality === "AUDIO");
  return sound === undefined ? 0 : count(sound.tokenCount ?? 0);
}

/** Returns a token count; -1 for any other value. */
const count = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : -1;
