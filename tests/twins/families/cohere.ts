import { badPairing, exactArguments, keywordsOf, names, unknownIn } from "../chat/checks";
import { hearChat, pictureParts } from "../chat/hear";
import {
  type Api,
  eventStream,
  type Json,
  json,
  namedEvent,
  pieces,
  type Reply,
  type Rule,
  type Said,
  type Turn,
  writeExactly,
} from "../twin";

const CREATE = "https://docs.cohere.com/v2/reference/chat";
const FIELDS = names(
  "model messages stream tools strict_tools documents citation_options response_format safety_mode max_tokens stop_sequences temperature seed frequency_penalty presence_penalty k p return_prompt logprobs raw_prompting tool_choice thinking priority",
);
const MESSAGE: Readonly<Record<string, ReadonlySet<string>>> = {
  system: names("role content"),
  user: names("role content"),
  assistant: names("role content tool_calls tool_plan citations"),
  tool: names("role content tool_call_id"),
};
const CONTENT: Readonly<Record<string, ReadonlySet<string>>> = {
  system: names("text"),
  user: names("text image_url"),
  assistant: names("text thinking"),
  tool: names("text document"),
};

const RULES: readonly Rule[] = [
  {
    rule: "no field that is not described, also not in messages",
    source: CREATE,
    date: "2026-06",
    check: (body) => {
      const unknown = unknownIn(body, FIELDS);
      if (unknown !== undefined)
        return { status: 422, message: `unknown field: parameter '${unknown}' is not a valid field` };
      for (const [at, message] of body.messages.entries()) {
        const known = MESSAGE[message.role];
        if (known === undefined)
          return `invalid request: message at messages[${at}] has an unknown role ${message.role}`;
        const field = unknownIn(message, known);
        if (field !== undefined)
          return { status: 422, message: `unknown field: parameter 'messages[${at}].${field}' is not a valid field` };
        const part = Array.isArray(message.content)
          ? message.content.find(({ type }: Json) => !CONTENT[message.role]!.has(type))
          : undefined;
        if (part !== undefined)
          return `invalid request: content of type ${part.type} is not allowed for role ${message.role}`;
      }
      return undefined;
    },
  },
  {
    rule: "messages have content or calls",
    source: "https://github.com/kwaroran/Risuai/issues/458",
    date: "2024-06",
    check: ({ messages }) => {
      const at = messages.findIndex(
        ({ content, tool_calls }: Json) =>
          (content == null || content === "" || content.length === 0) && !(tool_calls?.length > 0),
      );
      return at < 0
        ? undefined
        : `invalid request: message at messages[${at}] must have non-empty content or tool calls.`;
    },
  },
  {
    rule: "a call is answered directly behind its message",
    source: "https://github.com/oracle/langchain-oracle/issues/10",
    date: "2025-08",
    check: ({ messages }) => {
      const bad = badPairing(messages);
      return bad === undefined
        ? undefined
        : `invalid request: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${bad.ids.join(", ")}`;
    },
  },
  exactArguments,
  {
    rule: "a tool is demanded by REQUIRED, forbidden by NONE, and only where there are tools",
    source: CREATE,
    date: "2026-06",
    check: ({ tool_choice: choice, tools }) => {
      if (choice === undefined) return undefined;
      if (choice !== "REQUIRED" && choice !== "NONE") return "invalid request: tool_choice must be REQUIRED or NONE";
      return tools === undefined ? "invalid request: tool_choice is specified but tools are not" : undefined;
    },
  },
  {
    rule: "a schema for the answer not beside tools",
    source: "https://docs.cohere.com/v2/docs/structured-outputs",
    date: "2026-06",
    check: ({ response_format, tools }) =>
      response_format !== undefined && tools !== undefined
        ? "invalid request: cannot specify both response_format and tools"
        : undefined,
  },
  {
    rule: "a schema for the answer has no ranges or lengths",
    source: "https://docs.cohere.com/v2/docs/structured-outputs#unsupported-schema-features",
    date: "2026-06",
    check: ({ response_format }) => {
      const bad = keywordsOf(response_format?.json_schema).find(({ keyword }) =>
        /^(minimum|maximum|exclusiveM\w+|multipleOf|minLength|maxLength|minItems|maxItems|uniqueItems|not|allOf|oneOf|if)$/.test(
          keyword,
        ),
      );
      return bad === undefined
        ? undefined
        : `invalid request: invalid 'response_format.json_schema': schema keyword '${bad.keyword}' is not supported`;
    },
  },
  {
    rule: "the top object of a schema requires something",
    source: "https://docs.cohere.com/v2/docs/structured-outputs",
    date: "2026-06",
    check: ({ response_format }) => {
      const schema = response_format?.json_schema;
      return schema?.type === "object" && !(schema.required?.length > 0)
        ? "invalid request: invalid 'response_format.json_schema': schema must have at least one required property"
        : undefined;
    },
  },
  {
    rule: "a temperature is at most 1 and p from 0.01 to 0.99",
    source: CREATE,
    date: "2026-06",
    check: ({ temperature, p }) => {
      if (temperature > 1) return "invalid request: temperature must be between 0 and 1.0 inclusive.";
      return p !== undefined && (p < 0.01 || p > 0.99)
        ? "invalid request: p must be between 0.01 and 0.99 inclusive."
        : undefined;
    },
  },
  {
    rule: "only models for pictures take them",
    source: "https://docs.cohere.com/docs/command-a-vision",
    date: "2026-06",
    check: ({ messages }) =>
      messages.some(({ content }: Json) => pictureParts(content).length > 0)
        ? "invalid request: this model does not support images"
        : undefined,
  },
  {
    rule: "at most five stop sequences",
    source: CREATE,
    date: "2026-06",
    check: ({ stop_sequences = [] }) =>
      stop_sequences.length > 5 ? "invalid request: at most 5 stop sequences are allowed" : undefined,
  },
];

function say(said: Said, turn: Turn): Reply {
  const { input, cached, output, reasoning } = turn.counted;
  const usage = {
    billed_units: { input_tokens: input, output_tokens: output + reasoning },
    tokens: { input_tokens: input + 70, output_tokens: output + reasoning + 2 },
    cached_tokens: cached,
  };
  const calls = said.calls.map(({ name, input: given }, at) => ({
    id: `${name}_${turn.serial}abc${at}`,
    type: "function",
    function: { name, arguments: writeExactly(given) },
  }));
  const thinking = said.thoughts.join("");
  const plan = calls.length > 0 ? `${thinking}${said.text}` : "";
  const content =
    calls.length > 0
      ? []
      : [...(thinking === "" ? [] : [{ type: "thinking", thinking }]), { type: "text", text: said.text }];
  const finish_reason = calls.length > 0 ? "TOOL_CALL" : "COMPLETE";
  if (!turn.stream) {
    const message = {
      role: "assistant",
      ...(plan === "" ? {} : { tool_plan: plan }),
      ...(calls.length > 0 ? { tool_calls: calls } : { content }),
    };
    return json(200, { id: `c-${turn.serial}`, finish_reason, message, usage });
  }
  const event = (type: string, delta: Json | undefined, index?: number) =>
    namedEvent(type, {
      type,
      ...(index === undefined ? {} : { index }),
      ...(delta === undefined ? {} : { delta: { message: delta } }),
    });
  return eventStream([
    namedEvent("message-start", {
      type: "message-start",
      id: `c-${turn.serial}`,
      delta: { message: { role: "assistant", content: [], tool_plan: "", tool_calls: [], citations: [] } },
    }),
    ...pieces(plan).map((tool_plan) => event("tool-plan-delta", { tool_plan })),
    ...calls.flatMap((call, at) => [
      event("tool-call-start", { tool_calls: { ...call, function: { name: call.function.name, arguments: "" } } }, at),
      ...pieces(call.function.arguments, 11).map((piece) =>
        event("tool-call-delta", { tool_calls: { function: { arguments: piece } } }, at),
      ),
      event("tool-call-end", undefined, at),
    ]),
    ...content.flatMap((part: Json, at) => {
      const field = part.type as string;
      const parts = field === "thinking" ? said.thoughts : pieces(part[field]);
      return [
        event("content-start", { content: { type: field, [field]: "" } }, at),
        ...parts.map((piece) => event("content-delta", { content: { [field]: piece } }, at)),
        event("content-end", undefined, at),
      ];
    }),
    namedEvent("message-end", { type: "message-end", id: `c-${turn.serial}`, delta: { finish_reason, usage } }),
  ]);
}

/** `/v2/chat` of a model that thinks on request. */
export const cohereApi: Api = {
  path: /^\/v2\/chat$/,
  rules: RULES,
  hear: hearChat(({ thinking, model }) => /reasoning/.test(model) && thinking?.type !== "disabled"),
  say,
  refuse: ({ message, status = 400 }) => json(status, { id: "e-1", message }),
};
