import type { ClientName } from "./clients/clients";

/** A cell of the matrix that cannot be answered: it is rejected with an error that states the reason. */
export type Impossible = {
  twins: readonly string[];
  scenarios: readonly string[];
  clients?: readonly ClientName[];
  reason: string;
  /** Pattern of the error message that the client receives. */
  says: RegExp;
  /** gw rejects it without a supplier call; absent: the supplier rejects it, and its message reaches the client. */
  byGateway?: true;
  /** The request is answered, but with a deviation that this vendor's own clients see too. */
  isAnswered?: true;
  /** Applies to streams only. */
  streamed?: true;
};

const PICTURES = ["a picture", "a picture in a result"];

const AS_IT_CAME = "bytes pass between equal formats, and the vendor refuses what its own client asks for";

const IMPOSSIBLE: readonly Impossible[] = [
  {
    twins: ["deepseek"],
    scenarios: PICTURES,
    reason: "the model takes texts only",
    says: /image_url|expected a string|expected `text`/,
  },
  {
    twins: ["groq", "cerebras", "llama-cpp", "cohere", "bedrock-gpt-oss"],
    scenarios: PICTURES,
    reason: "the model takes texts only",
    says: /image|must be a string/i,
  },
  {
    twins: ["anthropic", "anthropic-older"],
    scenarios: ["a forced call beside an effort"],
    clients: ["messages"],
    reason: AS_IT_CAME,
    says: /Thinking may not be enabled when tool_choice forces tool use/,
  },
  {
    twins: ["anthropic", "anthropic-older"],
    scenarios: ["structured output with constraints"],
    clients: ["messages"],
    reason: AS_IT_CAME,
    says: /property 'minimum' is not supported/,
  },
  {
    twins: ["llama-cpp", "ollama", "vllm"],
    scenarios: ["instructions at the beginning and in the middle"],
    clients: ["chat"],
    reason: AS_IT_CAME,
    says: /System message must be at the beginning/,
  },
  {
    twins: ["mistral"],
    scenarios: ["a text beside a result, and a further question", "a picture in a result"],
    clients: ["chat"],
    reason: AS_IT_CAME,
    says: /Unexpected role 'user' after role 'tool'/,
  },
  {
    twins: ["deepseek"],
    scenarios: ["structured output with constraints"],
    clients: ["chat"],
    reason: AS_IT_CAME,
    says: /This response_format type is unavailable now/,
  },
  {
    twins: ["deepseek", "moonshot"],
    scenarios: ["a forced call beside an effort"],
    clients: ["chat"],
    reason: AS_IT_CAME,
    says: /tool_choice/,
  },
  {
    twins: ["xai", "cerebras"],
    scenarios: ["structured output with constraints"],
    clients: ["chat"],
    reason: AS_IT_CAME,
    says: /minLength is not supported|Unsupported JSON schema fields/,
  },
];

export const impossible = (cell: { twin: string; client: ClientName; scenario: string; stream: boolean }) =>
  IMPOSSIBLE.find(
    ({ twins, scenarios, clients = [cell.client], streamed }) =>
      twins.includes(cell.twin) &&
      scenarios.includes(cell.scenario) &&
      clients.includes(cell.client) &&
      (!streamed || cell.stream),
  );
