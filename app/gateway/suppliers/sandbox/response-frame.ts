type Asked = Readonly<Record<string, unknown>>;

/**
 * Returns the members of a response that repeat the request or have default values; the format's schema requires most
 * of them.
 */
export const framed = (request: Asked) => ({
  background: false,
  error: null,
  frequency_penalty: request.frequency_penalty ?? 0,
  instructions: request.instructions ?? null,
  max_output_tokens: request.max_output_tokens ?? null,
  max_tool_calls: request.max_tool_calls ?? null,
  metadata: request.metadata ?? {},
  parallel_tool_calls: request.parallel_tool_calls ?? true,
  presence_penalty: request.presence_penalty ?? 0,
  previous_response_id: request.previous_response_id ?? null,
  prompt_cache_key: request.prompt_cache_key ?? null,
  reasoning: { effort: null, summary: null, ...(request.reasoning as object | null | undefined) },
  safety_identifier: request.safety_identifier ?? null,
  service_tier: "default",
  store: request.store ?? true,
  temperature: request.temperature ?? 1,
  text: { format: { type: "text" }, ...(request.text as object | null | undefined) },
  tool_choice: request.tool_choice ?? "auto",
  tools: request.tools ?? [],
  top_logprobs: 0,
  top_p: request.top_p ?? 1,
  truncation: request.truncation ?? "disabled",
  user: request.user ?? null,
});
