import type { Problem, SandboxRequest } from "./act";

export type ToolCall =
  | { id: string; type: "function"; function: { name: string; arguments: string } }
  | { id: string; type: "custom"; custom: { name: string; input: string } };

/** One answer of a completion: its text in tokens, or tool calls instead. */
export type Choice = {
  text: string;
  tokens: readonly string[];
  toolCalls: readonly ToolCall[];
  finishReason: "stop" | "length" | "tool_calls";
  logprobs: number | null;
};

export type PromptTokens = { all: number; cached: number };

export type Spent = { prompt: PromptTokens; completion: number; reasoning: number };

/** Returns the first members of a completion and of every chunk of a stream. */
export const headOf = (inference: SandboxRequest, object: string) => ({
  id: `chatcmpl-${inference.callId.replaceAll("-", "")}`,
  object,
  created: Math.floor(Date.now() / 1000),
  model: inference.model,
  service_tier: "default",
  system_fingerprint: "fp_sandbox",
});

/** Returns the `usage` member; undefined or invalid if a fault requests that. */
export function usageOf(inference: SandboxRequest, { prompt, completion, reasoning }: Spent): object | undefined {
  if (inference.usage === "none") return undefined;
  if (inference.usage === "insane") {
    return { prompt_tokens: -1, completion_tokens: 1_000_000_000_000, total_tokens: Number.MAX_SAFE_INTEGER };
  }
  return {
    prompt_tokens: prompt.all,
    completion_tokens: completion,
    total_tokens: prompt.all + completion,
    prompt_tokens_details: { cached_tokens: prompt.cached, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** Returns constant, made-up log probabilities of the tokens, in the format of chat SDKs. */
export function logprobsOf(tokens: readonly string[], alternatives: number): object {
  const entry = (token: string, logprob: number) => ({ token, logprob, bytes: [...Buffer.from(token)] });
  return {
    content: tokens.map((token) => ({
      ...entry(token, -0.01),
      top_logprobs: Array.from({ length: alternatives }, (_, rank) =>
        rank === 0 ? entry(token, -0.01) : entry(`${token}${"~".repeat(rank)}`, -5 - rank),
      ),
    })),
    refusal: null,
  };
}

export const chatError = ({ code, type, message }: Problem): Buffer =>
  Buffer.from(JSON.stringify({ error: { message, type, param: null, code } }));
