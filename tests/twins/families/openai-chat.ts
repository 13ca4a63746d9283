import { sayChat } from "../chat/answer";
import { callsIn, draftFault, keywordsOf, names, refusesFields, SHAPE, strictFault, unknownIn } from "../chat/checks";
import { hearChat, pictureParts } from "../chat/hear";
import { type Api, type Json, json, type Refusal, type Rule } from "../twin";

const CREATE = "https://platform.openai.com/docs/api-reference/chat/create";
const MODELS = "https://developers.openai.com/api/docs/guides/latest-model";
const STRICT = "https://platform.openai.com/docs/guides/structured-outputs#supported-schemas";

const FIELDS = names(
  "model messages audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options",
);

/** Writes an error as `{error: {message, type, param, code}}`, the form of this vendor and of compatible ones. */
export const refuseLikeOpenAi = ({ message, status = 400, param, code, type = "invalid_request_error" }: Refusal) =>
  json(status, { error: { message, type, param: param ?? null, code: code ?? null } });

const unsupported = (field: string): Refusal => ({
  message: `Unsupported parameter: '${field}' is not supported with this model.`,
  param: field,
  code: "unsupported_parameter",
});

/** Rules for fields, parts and schemas of a chat request, for all models of the vendor. */
const CHAT_RULES: readonly Rule[] = [
  ...SHAPE,
  {
    rule: "no field that is not described",
    source: CREATE,
    date: "2026-06",
    check: (body) => {
      const unknown = unknownIn(body, FIELDS);
      return unknown === undefined
        ? undefined
        : { message: `Unknown parameter: '${unknown}'.`, param: unknown, code: "unknown_parameter" };
    },
  },
  {
    rule: "the object schema of a tool has properties",
    source: "https://github.com/langchain-ai/langchain-mcp-adapters/issues/137",
    date: "2025-05",
    check: ({ tools = [] }) => {
      const at = tools.findIndex(
        ({ function: { parameters } }: Json) => parameters?.type === "object" && parameters.properties === undefined,
      );
      if (at < 0) return undefined;
      return {
        message: `Invalid schema for function '${tools[at].function.name}': In context=(), object schema missing properties.`,
        param: `tools[${at}].function.parameters`,
        code: "invalid_function_parameters",
      };
    },
  },
  {
    rule: "the schema of a tool is of the current draft, and its arrays have items",
    source: "https://github.com/ogx-ai/ogx/issues/3004",
    date: "2025-09",
    check: ({ tools = [] }) => {
      for (const [at, { function: tool }] of tools.entries()) {
        const bare = keywordsOf(tool.parameters).find(
          ({ keyword, value, schema }) => keyword === "type" && value === "array" && schema.items === undefined,
        );
        const fault =
          bare === undefined ? draftFault(tool.parameters) : `In context=(${bare.path}), array schema missing items`;
        if (fault !== undefined)
          return {
            message: `Invalid schema for function '${tool.name}': ${fault}.`,
            param: `tools[${at}].function.parameters`,
            code: "invalid_function_parameters",
          };
      }
      return undefined;
    },
  },
  {
    rule: "the schema of a tool has no choice at the top",
    source: "https://platform.openai.com/docs/guides/function-calling",
    date: "2026-06",
    check: ({ tools = [] }) => {
      const bad = tools.find(({ function: { parameters } }: Json) =>
        ["oneOf", "anyOf", "allOf", "enum", "not"].some((keyword) => parameters?.[keyword] !== undefined),
      );
      return bad === undefined
        ? undefined
        : `Invalid schema for function '${bad.function.name}': schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.`;
    },
  },
  {
    rule: "a list of tools is not empty",
    source: CREATE,
    date: "2026-06",
    check: ({ tools, parallel_tool_calls }) => {
      if (tools?.length === 0)
        return { message: "Invalid 'tools': empty array. Expected an array with minimum length 1.", param: "tools" };
      return parallel_tool_calls !== undefined && tools === undefined
        ? {
            message:
              "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.",
            param: "parallel_tool_calls",
          }
        : undefined;
    },
  },
  {
    rule: "a tool's schema is an object schema",
    source: CREATE,
    date: "2026-06",
    check: ({ tools = [] }) => {
      const at = tools.findIndex(
        ({ function: { parameters } }: Json) => parameters !== undefined && parameters?.type !== "object",
      );
      return at < 0
        ? undefined
        : {
            message: `Invalid schema for function '${tools[at].function.name}': schema must be a JSON Schema of 'type: "object"', got 'type: "${tools[at].function.parameters?.type}"'.`,
            param: `tools[${at}].function.parameters`,
            code: "invalid_function_parameters",
          };
    },
  },
  {
    rule: "pictures stand in messages of the user only",
    source: "https://platform.openai.com/docs/api-reference/chat/create",
    date: "2026-06",
    check: ({ messages }) => {
      const at = messages.findIndex(({ role, content }: Json) => role !== "user" && pictureParts(content).length > 0);
      return at < 0
        ? undefined
        : {
            message: `Invalid 'messages[${at}]'. Image URLs are only allowed for messages with role 'user', but this message with role '${messages[at].role}' contains an image URL.`,
            param: `messages[${at}]`,
            code: "invalid_value",
          };
    },
  },
  {
    rule: "an id of a call has at most 40 characters",
    source: "https://github.com/agno-agi/agno/issues/5382",
    date: "2025-11",
    check: ({ messages }) => {
      const long = callsIn(messages).find(({ call }) => call.id.length > 40);
      return long === undefined
        ? undefined
        : {
            message: `Invalid 'messages[${long.at}].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length ${long.call.id.length} instead.`,
            param: `messages[${long.at}].tool_calls[0].id`,
            code: "string_above_max_length",
          };
    },
  },
  {
    rule: "a strict schema closes every object and requires every property",
    source: STRICT,
    date: "2026-06",
    check: ({ response_format, tools = [] }) => {
      const schemas = [
        ...(response_format?.json_schema?.strict === true
          ? [["response_format", response_format.json_schema.schema]]
          : []),
        ...tools.flatMap(({ function: tool }: Json) =>
          tool.strict === true ? [["tools[0].function.parameters", tool.parameters]] : [],
        ),
      ];
      for (const [param, schema] of schemas as [string, Json][]) {
        const fault = strictFault(schema);
        if (fault !== undefined) return { message: `Invalid schema for ${param}: ${fault}`, param };
      }
      return undefined;
    },
  },
  {
    rule: "a strict schema has no allOf, not, if or patternProperties",
    source: STRICT,
    date: "2026-06",
    check: ({ response_format }) => {
      if (response_format?.json_schema?.strict !== true) return undefined;
      const bad = keywordsOf(response_format.json_schema.schema).find(({ keyword }) => UNKNOWN_IN_STRICT.has(keyword));
      return bad === undefined
        ? undefined
        : {
            message: `Invalid schema for response_format 'out': In context=(${bad.path}), '${bad.keyword}' is not permitted.`,
            param: "response_format",
          };
    },
  },
  {
    rule: "at most four stop sequences",
    source: CREATE,
    date: "2026-06",
    check: ({ stop }) =>
      Array.isArray(stop) && stop.length > 4
        ? { message: "Invalid 'stop': array too long. Expected an array with maximum length 4.", param: "stop" }
        : undefined,
  },
];

const UNKNOWN_IN_STRICT = names(
  "allOf not if then else dependentRequired dependentSchemas patternProperties unevaluatedProperties",
);
const EFFORTS = names("none low medium high xhigh max");

/** Rules of models that think before they answer: gpt-5 and later, each with its own range of efforts. */
const THINKING_RULES: readonly Rule[] = [
  refusesFields(
    { rule: "a thinking model has no temperature but its own", source: MODELS, date: "2026-08" },
    ["temperature"],
    (field, body) => ({
      message: `Unsupported value: '${field}' does not support ${body[field]} with this model. Only the default (1) value is supported.`,
      param: field,
      code: "unsupported_value",
    }),
    (body, field) => body[field] !== 1,
  ),
  refusesFields(
    {
      rule: "a thinking model has no top_p, penalties, probabilities or stop sequences",
      source: MODELS,
      date: "2026-08",
    },
    ["top_p", "presence_penalty", "frequency_penalty", "logprobs", "top_logprobs", "logit_bias", "stop"],
    unsupported,
    (body, field) => !(field === "top_p" && body.top_p === 1) && !(/penalty/.test(field) && body[field] === 0),
  ),
  refusesFields(
    {
      rule: "the most output of a thinking model is max_completion_tokens",
      source: "https://platform.openai.com/docs/api-reference/chat/create",
      date: "2026-06",
    },
    ["max_tokens"],
    (field) => ({
      message: `Unsupported parameter: '${field}' is not supported with this model. Use 'max_completion_tokens' instead.`,
      param: field,
      code: "unsupported_parameter",
    }),
  ),
  {
    rule: "efforts that the model has",
    source: MODELS,
    date: "2026-08",
    check: ({ reasoning_effort: effort }) =>
      effort == null || EFFORTS.has(effort)
        ? undefined
        : {
            message: `Unsupported value: 'reasoning_effort' does not support '${effort}' with this model. Supported values are: ${[...EFFORTS].map((each) => `'${each}'`).join(", ")}.`,
            param: "reasoning_effort",
            code: "unsupported_value",
          },
  },
  {
    rule: "no tools beside thinking: from 5.6 on it is on unless it is turned off",
    source: "https://github.com/anomalyco/opencode/issues/48195",
    date: "2026-09",
    check: ({ tools, reasoning_effort }) =>
      tools === undefined || reasoning_effort === "none"
        ? undefined
        : {
            message:
              "Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
            param: "reasoning_effort",
          },
  },
];

const isThinking = (body: Json) => body.reasoning_effort !== "none";

/** Chat completions of a model that thinks but does not return its thoughts. */
export const thinkingChat: Api = {
  path: /^\/v1\/chat\/completions$/,
  rules: [...CHAT_RULES, ...THINKING_RULES],
  hear: hearChat(isThinking),
  say: sayChat({ thoughts: null }),
  refuse: refuseLikeOpenAi,
};

export const plainChat: Api = {
  path: /^\/v1\/chat\/completions$/,
  rules: [
    ...CHAT_RULES,
    refusesFields(
      { rule: "a model that does not think has no effort", source: CREATE, date: "2026-06" },
      ["reasoning_effort", "verbosity"],
      (field) => ({ message: `Unrecognized request argument supplied: ${field}`, param: field }),
    ),
  ],
  hear: hearChat(() => false),
  say: sayChat(),
  refuse: refuseLikeOpenAi,
};
