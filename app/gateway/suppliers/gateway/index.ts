import { chatApi } from "../toolkit/chat-api";

/**
 * A gateway with a chat completions API, such as another gw or a LiteLLM proxy, whose own fields (`api_base`, `headers`,
 * `fallbacks` …) this installation's clients may use: they reach it as they were written.
 */
export const gateway = chatApi({ kind: "gateway" });
