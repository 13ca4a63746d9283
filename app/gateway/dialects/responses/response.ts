import type { Stop } from "../../canonical/answer";
import type { Usage } from "../../canonical/usage";
import type { ToolNames } from "../wire/identifiers";
import type { ClientTools } from "./client-tools";
import type { ResponsesBody } from "./read";

/** Input for an answer of this dialect besides its parts. `createdSeconds` is Unix time. */
export type ResponseFrame = {
  /** Id of the response; the ids of its items contain it. */
  id: string;
  createdSeconds: number;
  body: ResponsesBody;
  names: ToolNames;
  clientTools: ClientTools;
  /** Returns the client's model name for the supplier's. */
  modelOf(model: string): string;
};

/** An output item of an answer in this dialect. */
export type OutputItem = Readonly<Record<string, unknown>> & { type: string; id: string };

export type ResponseState = {
  model: string;
  status: "in_progress" | "completed" | "incomplete" | "failed";
  output: readonly OutputItem[];
  usage: Usage | null;
  incomplete?: "max_output_tokens" | "content_filter" | null;
  error?: { code: string; message: string } | null;
};

/** Returns a response as an object, which repeats the request's fields. */
export function responseObject({ id, createdSeconds, body }: ResponseFrame, state: ResponseState): object {
  const { model, status, output, usage, incomplete = null, error = null } = state;
  return {
    id,
    object: "response",
    created_at: createdSeconds,
    completed_at: status === "completed" ? Math.floor(Date.now() / 1000) : null,
    status,
    background: false,
    error,
    frequency_penalty: body.frequency_penalty ?? 0,
    incomplete_details: incomplete === null ? null : { reason: incomplete },
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    model,
    output,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    presence_penalty: body.presence_penalty ?? 0,
    previous_response_id: body.previous_response_id ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: { effort: null, summary: null, ...(body.reasoning as object | null | undefined) },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: "default",
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: { format: { type: "text" }, ...(body.text as object | null | undefined) },
    tool_choice: body.tool_choice ?? "auto",
    tools: body.tools ?? [],
    top_logprobs: 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? "disabled",
    usage: usage === null ? null : writeResponsesUsage(usage),
    user: body.user ?? null,
    metadata: body.metadata ?? {},
  };
}

/** Returns why an answer is incomplete; null if it is complete. A refusal with text counts as complete. */
export function incompleteBy({ reason }: Stop, hasRefusal: boolean): "max_output_tokens" | "content_filter" | null {
  if (reason === "length") return "max_output_tokens";
  return reason === "refusal" && !hasRefusal ? "content_filter" : null;
}

/** Returns `usage` for a client of this dialect. */
function writeResponsesUsage(usage: Usage): object {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: cachedInputTokens,
      ...(cacheWriteTokens > 0 ? { cache_write_tokens: cacheWriteTokens } : {}),
    },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}

/** Returns the text input of a custom tool, from the only field of the function that stands for it. */
export function customInput(text: string): string {
  try {
    const { input } = JSON.parse(text) as { input?: unknown };
    return typeof input === "string" ? input : text;
  } catch {
    return text;
  }
}
