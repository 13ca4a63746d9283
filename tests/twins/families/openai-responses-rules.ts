import { changedCall, keywordsOf, names, refusesFields, strictFault, unknownIn } from "../chat/checks";
import type { Json, Rule } from "../twin";

const CREATE = "https://platform.openai.com/docs/api-reference/responses/create";
const MODELS = "https://developers.openai.com/api/docs/guides/latest-model";
const REASONING = "https://developers.openai.com/api/docs/guides/reasoning";

const FIELDS = names(
  "background context_management conversation include input instructions max_output_tokens max_tool_calls metadata model parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user",
);
const EFFORTS = names("none low medium high xhigh max");
const PREFIXES: Readonly<Record<string, string>> = { message: "msg", function_call: "fc", reasoning: "rs" };

export const itemsOf = (input: Json): Json[] =>
  typeof input === "string"
    ? [{ type: "message", role: "user", content: input }]
    : (input ?? []).map((item: Json) => (item.type === undefined ? { type: "message", ...item } : item));

/** Returns the tools of a request, including those in namespaces. */
export const toolsOf = (body: Json): Json[] =>
  (body.tools ?? []).flatMap((tool: Json) =>
    tool.type === "namespace" ? tool.tools.map((each: Json) => ({ ...each, namespace: tool.name })) : [tool],
  );

export const RULES: readonly Rule[] = [
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
  refusesFields(
    { rule: "a thinking model has no temperature and no top_p", source: MODELS, date: "2026-08" },
    ["temperature", "top_p", "top_logprobs"],
    (field) => ({
      message: `Unsupported parameter: '${field}' is not supported with this model.`,
      param: field,
      code: "unsupported_parameter",
    }),
    (body, field) => body[field] !== 1,
  ),
  {
    rule: "efforts that the model has",
    source: MODELS,
    date: "2026-08",
    check: ({ reasoning }) =>
      reasoning?.effort == null || EFFORTS.has(reasoning.effort)
        ? undefined
        : {
            message: `Unsupported value: '${reasoning.effort}' is not supported with this model. Supported values are: ${[...EFFORTS].join(", ")}.`,
            param: "reasoning.effort",
            code: "unsupported_value",
          },
  },
  {
    rule: "at least 16 tokens of output",
    source: CREATE,
    date: "2026-06",
    check: ({ max_output_tokens: most }) =>
      most != null && most < 16
        ? {
            message: `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${most} instead.`,
            param: "max_output_tokens",
            code: "integer_below_min_value",
          }
        : undefined,
  },
  {
    rule: "ids of items begin by their kind",
    source: "https://platform.openai.com/docs/api-reference/responses/create",
    date: "2026-06",
    check: ({ input }) => {
      for (const [at, { type, id }] of itemsOf(input).entries()) {
        const prefix = PREFIXES[type];
        if (id != null && prefix !== undefined && !String(id).startsWith(prefix))
          return {
            message: `Invalid 'input[${at}].id': '${id}'. Expected an ID that begins with '${prefix}'.`,
            param: `input[${at}].id`,
            code: "invalid_value",
          };
      }
      return undefined;
    },
  },
  {
    rule: "an id of a call has at most 64 characters",
    source: "https://platform.openai.com/docs/api-reference/responses/create",
    date: "2026-06",
    check: ({ input }) => {
      const at = itemsOf(input).findIndex(({ call_id }) => call_id !== undefined && call_id.length > 64);
      return at < 0
        ? undefined
        : {
            message: `Invalid 'input[${at}].call_id': string too long. Expected a string with maximum length 64.`,
            param: `input[${at}].call_id`,
            code: "string_above_max_length",
          };
    },
  },
  {
    rule: "a call has its result, and a result its call",
    source: "https://platform.openai.com/docs/api-reference/responses/create",
    date: "2026-06",
    check: ({ input, previous_response_id }) => {
      const items = itemsOf(input);
      const made = new Set(items.filter(({ type }) => type === "function_call").map(({ call_id }) => call_id));
      const answered = new Set(
        items.filter(({ type }) => type === "function_call_output").map(({ call_id }) => call_id),
      );
      const orphan = previous_response_id == null ? [...answered].find((id) => !made.has(id)) : undefined;
      if (orphan !== undefined)
        return { message: `No tool call found for function call output with call_id ${orphan}.`, param: "input" };
      const open = [...made].find((id) => !answered.has(id));
      return open === undefined
        ? undefined
        : { message: `No tool output found for function call ${open}.`, param: "input" };
    },
  },
  {
    rule: "a thought is followed by what came behind it",
    source: "https://github.com/continuedev/continue/issues/8933",
    date: "2025-11",
    check: ({ input }) => {
      const items = itemsOf(input);
      const at = items.findIndex(
        ({ type }, index) =>
          type === "reasoning" && !/^(function_call|custom_tool_call|message|reasoning)$/.test(items[index + 1]?.type),
      );
      return at < 0
        ? undefined
        : {
            message: `Item '${items[at].id}' of type 'reasoning' was provided without its required following item.`,
            param: "input",
          };
    },
  },
  {
    rule: "encrypted thoughts are the vendor's own",
    source: "https://github.com/openai/codex/issues/8119",
    date: "2025-12",
    check: ({ input }, memory) => {
      const bad = itemsOf(input).find(
        ({ type, encrypted_content: sealed }) => type === "reasoning" && sealed != null && !memory.seals.has(sealed),
      );
      return bad === undefined
        ? undefined
        : {
            message: `The encrypted content for item ${bad.id} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
            code: "invalid_encrypted_content",
          };
    },
  },
  {
    rule: "without storing, a thought comes with its encrypted content",
    source: REASONING,
    date: "2026-06",
    check: ({ input }) => {
      const bad = itemsOf(input).find(
        ({ type, encrypted_content, id }) => type === "reasoning" && encrypted_content == null && id != null,
      );
      return bad === undefined
        ? undefined
        : {
            message: `Item with id '${bad.id}' not found. Items are not persisted when \`store\` is set to false.`,
            param: "input",
            status: 404,
          };
    },
  },
  {
    rule: "the parts of a message are those of its role",
    source: CREATE,
    date: "2026-06",
    check: ({ input }) => {
      for (const [at, { type, role, content }] of itemsOf(input).entries()) {
        if (type !== "message" || !Array.isArray(content)) continue;
        const taken = role === "assistant" ? names("output_text refusal") : names("input_text input_image input_file");
        const bad = content.find((part: Json) => !taken.has(part.type));
        if (bad !== undefined)
          return {
            message: `Invalid value: '${bad.type}'. Supported values are: ${[...taken].map((each) => `'${each}'`).join(" and ")}.`,
            param: `input[${at}].content[0]`,
            code: "invalid_value",
          };
      }
      return undefined;
    },
  },
  {
    rule: "the object schema of a tool has properties",
    source: "https://github.com/inboxapi/cli/issues/106",
    date: "2026-05",
    check: (body) => {
      const bad = toolsOf(body).find(
        ({ type, parameters }) =>
          type === "function" && parameters?.type === "object" && parameters.properties === undefined,
      );
      return bad === undefined
        ? undefined
        : {
            message: `Invalid schema for function '${bad.name}': In context=(), object schema missing properties.`,
            param: "tools[0].parameters",
            code: "invalid_function_parameters",
          };
    },
  },
  {
    rule: "a tool has its name beside its type",
    source: CREATE,
    date: "2026-06",
    check: (body) =>
      toolsOf(body).some(({ type, name }) => type === "function" && typeof name !== "string")
        ? {
            message: "Missing required parameter: 'tools[0].name'.",
            param: "tools[0].name",
            code: "missing_required_parameter",
          }
        : undefined,
  },
  {
    rule: "a strict schema closes every object and requires every property",
    source: "https://platform.openai.com/docs/guides/structured-outputs#supported-schemas",
    date: "2026-06",
    check: ({ text }) => {
      if (text?.format?.type !== "json_schema" || text.format.strict === false) return undefined;
      const fault = text.format.strict === true ? strictFault(text.format.schema) : undefined;
      const bad = keywordsOf(text.format.schema).find(({ keyword }) => keyword === "allOf" || keyword === "not");
      if (bad !== undefined)
        return {
          message: `Invalid schema for response_format 'out': '${bad.keyword}' is not permitted.`,
          param: "text.format.schema",
        };
      return fault === undefined
        ? undefined
        : { message: `Invalid schema for response_format 'out': ${fault}`, param: "text.format.schema" };
    },
  },
  {
    rule: "arguments of calls come back exactly, integers beyond 2^53 included",
    source: "https://www.rfc-editor.org/rfc/rfc8259#section-6",
    date: "2017-12",
    check: ({ input }) =>
      itemsOf(input)
        .filter(({ type }) => type === "function_call")
        .map(({ name, arguments: text }) => changedCall(name, text))
        .find((fault) => fault !== undefined),
  },
];
