import { changedCall, draftFault, keywordsOf, names, unknownIn } from "../chat/checks";
import { type Json, type Rule, writeExactly } from "../twin";

const CREATE = "https://platform.claude.com/docs/en/api/messages";
const OUTPUTS = "https://platform.claude.com/docs/en/build-with-claude/structured-outputs";
const TOOLS = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use";

const FIELDS = names(
  "model messages max_tokens container context_management mcp_servers metadata output_config output_format service_tier stop_sequences stream system temperature thinking tool_choice tools top_k top_p cache_control inference_geo speed",
);
const BLOCKS: Readonly<Record<string, ReadonlySet<string>>> = {
  text: names("type text cache_control citations"),
  image: names("type source cache_control"),
  document: names("type source cache_control citations context title"),
  tool_use: names("type id name input cache_control caller"),
  tool_result: names("type tool_use_id content is_error cache_control"),
  thinking: names("type thinking signature"),
  redacted_thinking: names("type data"),
};

export const blocksOf = (content: Json): Json[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);

export const allBlocks = (messages: Json[]) =>
  messages.flatMap(({ role, content }, at) =>
    blocksOf(content).map((block, index) => ({ role, block, at, index, path: `messages.${at}.content.${index}` })),
  );

/** Rules of the messages API for all models. */
export const SHAPE: readonly Rule[] = [
  {
    rule: "the version of the API stands in a header",
    source: "https://platform.claude.com/docs/en/api/versioning",
    date: "2026-06",
    check: (_body, _memory, { request }) =>
      request.headers["anthropic-version"] === undefined ? "anthropic-version: header is required" : undefined,
  },
  {
    rule: "no field that is not described",
    source: CREATE,
    date: "2026-06",
    check: (body) => {
      const unknown = unknownIn(body, FIELDS);
      return unknown === undefined ? undefined : `${unknown}: Extra inputs are not permitted`;
    },
  },
  {
    rule: "the most output is stated",
    source: CREATE,
    date: "2026-06",
    check: ({ max_tokens }) =>
      Number.isSafeInteger(max_tokens) && max_tokens > 0 ? undefined : "max_tokens: Field required",
  },
  {
    rule: "messages are of the user and the assistant; a system message stands directly behind the user's",
    source: "https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages",
    date: "2026-09",
    check: ({ messages }) => {
      if (messages?.[0]?.role !== "user") return 'messages: first message must use the "user" role';
      const at = messages.findIndex(
        ({ role }: Json, index: number) =>
          !(role === "user" || role === "assistant" || (role === "system" && messages[index - 1]?.role === "user")),
      );
      return at < 0 ? undefined : `messages.${at}: role '${messages[at].role}' must directly follow a user turn`;
    },
  },
  {
    rule: "blocks are of a known kind and have no other fields",
    source: CREATE,
    date: "2026-06",
    check: ({ messages }) => {
      for (const { block, path } of allBlocks(messages)) {
        const known = BLOCKS[block.type];
        if (known === undefined)
          return `${path}: Input tag '${block.type}' found using 'type' does not match any of the expected tags`;
        const unknown = unknownIn(block, known);
        if (unknown !== undefined) return `${path}.${block.type}.${unknown}: Extra inputs are not permitted`;
      }
      return undefined;
    },
  },
  {
    rule: "no empty message, no blank text",
    source: "https://platform.claude.com/docs/en/api/messages",
    date: "2026-06",
    check: ({ messages, system }) => {
      const at = messages.findIndex(({ content }: Json) => content === "" || blocksOf(content).length === 0);
      if (at >= 0)
        return `messages.${at}: all messages must have non-empty content except for the optional final assistant message`;
      const isBlank = ({ type, text }: Json) => type === "text" && text.trim() === "";
      const texts = [...allBlocks(messages).map(({ block }) => block), ...blocksOf(system ?? [])];
      return texts.some(isBlank) ? "messages: text content blocks must contain non-whitespace text" : undefined;
    },
  },
  {
    rule: "ids and names of calls are plain",
    source: "https://platform.claude.com/docs/en/api/messages",
    date: "2026-06",
    check: ({ messages }) => {
      const bad = allBlocks(messages).find(
        ({ block }) => block.type === "tool_use" && !/^[a-zA-Z0-9_-]+$/.test(block.id),
      );
      if (bad !== undefined) return `${bad.path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
      const name = allBlocks(messages).find(
        ({ block }) => block.type === "tool_use" && !/^[a-zA-Z0-9_-]{1,128}$/.test(block.name),
      );
      return name === undefined
        ? undefined
        : `${name.path}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
    },
  },
  {
    rule: "results stand first in the message directly behind their calls",
    source: TOOLS,
    date: "2026-06",
    check: ({ messages }) => {
      for (const [at, { role, content }] of messages.entries()) {
        const ids = (side: Json, type: string, name: string) =>
          blocksOf(side?.content ?? [])
            .filter((block) => block.type === type)
            .map((block) => block[name]);
        if (role === "assistant") {
          const answered = new Set(ids(messages[at + 1], "tool_result", "tool_use_id"));
          const open = ids({ content }, "tool_use", "id").filter((id) => !answered.has(id));
          if (open.length > 0)
            return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}.`;
        } else {
          const made = new Set(messages[at - 1]?.role === "assistant" ? ids(messages[at - 1], "tool_use", "id") : []);
          const orphan = ids({ content }, "tool_result", "tool_use_id").find((id) => !made.has(id));
          if (orphan !== undefined)
            return `messages.${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
          const kinds = blocksOf(content).map(({ type }) => type === "tool_result");
          if (made.size > 0 && kinds.lastIndexOf(true) > kinds.indexOf(false) && kinds.includes(false))
            return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: tool results must come first.`;
        }
      }
      return undefined;
    },
  },
  {
    rule: "a thought comes back with the signature that the vendor gave it",
    source: "https://github.com/can1357/oh-my-pi/issues/6379",
    date: "2026-07",
    check: ({ messages }, memory) => {
      const bad = allBlocks(messages).find(
        ({ block }) => block.type === "thinking" && memory.seals.get(block.signature) !== block.thinking,
      );
      return bad === undefined ? undefined : `${bad.path}: Invalid \`signature\` in \`thinking\` block`;
    },
  },
  {
    rule: "the schema of a tool is an object schema without a choice at the top",
    source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use",
    date: "2026-06",
    check: ({ tools = [] }) => {
      for (const [at, { input_schema: schema, type }] of tools.entries()) {
        if (type !== undefined && type !== "custom") continue;
        if (schema?.type !== "object") return `tools.${at}.custom.input_schema.type: Field required`;
        if (schema.oneOf ?? schema.allOf ?? schema.anyOf)
          return `tools.${at}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`;
      }
      return undefined;
    },
  },
  {
    rule: "the schema of a tool is of the current draft",
    source: "https://github.com/Dokploy/mcp/issues/74",
    date: "2026-08",
    check: ({ tools = [] }) => {
      const at = tools.findIndex(({ input_schema }: Json) => draftFault(input_schema) !== undefined);
      return at < 0
        ? undefined
        : `tools.${at}.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12).`;
    },
  },
  {
    rule: "a picture is of the kind that it says",
    source: "https://github.com/BerriAI/litellm/issues/24900",
    date: "2026-04",
    check: ({ messages }) => {
      const bad = allBlocks(messages).find(
        ({ block: { type, source } }) =>
          type === "image" &&
          source.type === "base64" &&
          source.data.startsWith("iVBOR") !== (source.media_type === "image/png"),
      );
      return bad === undefined
        ? undefined
        : `${bad.path}.image.source.base64: The image was specified using the ${bad.block.source.media_type} media type, but the image appears to be another`;
    },
  },
  {
    rule: "at most four marks for the cache, none on thoughts",
    source: "https://platform.claude.com/docs/en/build-with-claude/prompt-caching",
    date: "2026-06",
    check: ({ messages, system, tools = [] }) => {
      const marked = [...allBlocks(messages).map(({ block }) => block), ...blocksOf(system ?? []), ...tools].filter(
        ({ cache_control }) => cache_control != null,
      );
      return marked.length > 4
        ? `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`
        : undefined;
    },
  },
  {
    rule: "a schema for the answer has no constraint and closes every object",
    source: OUTPUTS,
    date: "2026-06",
    check: ({ output_config, output_format }) => {
      const schema = output_config?.format?.schema ?? output_format?.schema;
      if (schema === undefined) return undefined;
      for (const { keyword, value, schema: around } of keywordsOf(schema)) {
        if (CONSTRAINTS.has(keyword) || (keyword === "minItems" && value > 1))
          return `output_config.format.schema: For '${around.type}' type, property '${keyword}' is not supported`;
        if (keyword === "type" && value === "object" && around.additionalProperties !== false)
          return "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false";
      }
      return undefined;
    },
  },
  {
    rule: "arguments of calls come back exactly, integers beyond 2^53 included",
    source: "https://www.rfc-editor.org/rfc/rfc8259#section-6",
    date: "2017-12",
    check: ({ messages }) =>
      allBlocks(messages)
        .filter(({ block }) => block.type === "tool_use")
        .map(({ block }) => changedCall(block.name, writeExactly(block.input)))
        .find((fault) => fault !== undefined),
  },
  {
    rule: "a temperature is at most 1",
    source: CREATE,
    date: "2026-06",
    check: ({ temperature }) => (temperature > 1 ? "temperature: Input should be less than or equal to 1" : undefined),
  },
  {
    rule: "stop sequences have visible characters",
    source: "https://platform.claude.com/docs/en/api/messages",
    date: "2026-06",
    check: ({ stop_sequences = [] }) =>
      stop_sequences.some((text: string) => text.trim() === "")
        ? "stop_sequences: each stop sequence must contain non-whitespace"
        : undefined,
  },
];

const CONSTRAINTS = names(
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength maxItems uniqueItems minProperties maxProperties",
);
