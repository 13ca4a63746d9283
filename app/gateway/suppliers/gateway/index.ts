import { chatApi } from "../toolkit/chat-api";

/**
 * A gateway with a chat completions API, such as another gw or a LiteLLM proxy. Clients may use its own fields
 * (`api_base`, `headers`, `fallbacks` …), which are passed on unchanged.
 */
export const gateway = chatApi({ kind: "gateway" });
