import type { Answer, Picture } from "../../canonical/answer";
import type { ThinkingPart } from "../../canonical/conversation";
import type { Usage } from "../../canonical/usage";
import type { ToolNames } from "../wire/identifiers";
import { writeChatStop } from "./finish-reasons";
import { thoughtDetail } from "./thought-details";

/** Writes an answer as a chat completion. `createdSeconds` is Unix time. */
export function writeChatAnswer(answer: Answer, names: ToolNames, createdSeconds: number): string {
  const { parts, stop, usage } = answer;
  const text = parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
  const thoughts = parts.filter((part) => part.kind === "thinking");
  const texts = thoughts.map((thought) => thought.text).filter((thoughtText) => thoughtText !== "");
  const calls = parts.flatMap((part) =>
    part.kind !== "toolCall"
      ? []
      : [
          {
            id: part.id,
            type: "function",
            function: { name: names.original(part.name), arguments: part.arguments || "{}" },
          },
        ],
  );
  const pictures = parts.filter((part) => part.kind === "picture");
  const message = {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    refusal: null,
    ...(texts.length === 0 ? {} : { reasoning_content: texts.join("\n\n") }),
    ...sealed(thoughts),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(pictures.length === 0 ? {} : { images: pictures.map(writeChatPicture) }),
  };
  return JSON.stringify({
    id: answer.id,
    object: "chat.completion",
    created: createdSeconds,
    model: answer.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: writeChatStop(stop) }],
    ...(usage === null ? {} : { usage: writeChatUsage(usage) }),
  });
}

/** Returns a picture in the aggregators' form; the vendor's own format has none. */
export const writeChatPicture = ({ url }: Picture, index: number): object => ({
  type: "image_url",
  image_url: { url },
  index,
});

function sealed(thoughts: readonly ThinkingPart[]): { reasoning_details?: object[] } {
  const details = thoughts.map(thoughtDetail).filter((detail) => detail !== null);
  return details.length === 0 ? {} : { reasoning_details: details };
}

/** Returns `usage` for a chat client. */
export function writeChatUsage(usage: Usage): object {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: {
      cached_tokens: cachedInputTokens,
      ...(cacheWriteTokens > 0 ? { cache_write_tokens: cacheWriteTokens } : {}),
    },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
}
