import {
  CHAT_LOOK,
  chatPatch,
  type Json,
  JUST_HI,
  LOOK,
  MESSAGES_LOOK,
  messagesPatch,
  PATCH,
  type RequestCase,
  turn,
  user,
} from "./say";

const CHAT = { messages: [user("hi")] };
const MESSAGES = { messages: [turn("hi")] };
const SUN: Json = { type: "function", name: "sun", parameters: { type: "object" } };
const CHAT_SUN = { type: "function", function: { name: "sun", parameters: { type: "object", properties: {} } } };
const MESSAGES_SUN = { name: "sun", input_schema: { type: "object", properties: {} } };

const same = (drops: readonly string[] = []): Pick<RequestCase, "chat" | "messages"> => ({
  chat: { sends: JUST_HI.chat, drops },
  messages: { sends: JUST_HI.messages, drops },
});

/** A case with a tool choice and the single tool `look`. */
const chosen = (name: string, tool_choice: unknown, chat: unknown, messages: unknown): RequestCase => ({
  name: `the choice of ${name}`,
  ask: { tools: [LOOK], tool_choice },
  chat: { sends: { ...CHAT, tools: [CHAT_LOOK], tool_choice: chat } },
  messages: { sends: { ...MESSAGES, tools: [MESSAGES_LOOK], tool_choice: messages } },
});

/** Tools and tool choices. */
export const TOOL_CASES: readonly RequestCase[] = [
  {
    name: "a function",
    ask: { tools: [LOOK] },
    chat: { sends: { ...CHAT, tools: [CHAT_LOOK] } },
    messages: { sends: { ...MESSAGES, tools: [MESSAGES_LOOK] } },
  },
  {
    name: "a function without parameters or a description",
    ask: { tools: [{ type: "function", name: "look", description: null, parameters: null, strict: null }] },
    chat: {
      sends: {
        ...CHAT,
        tools: [{ type: "function", function: { name: "look", parameters: { type: "object", properties: {} } } }],
      },
    },
    messages: { sends: { ...MESSAGES, tools: [{ name: "look", input_schema: { type: "object", properties: {} } }] } },
  },
  {
    name: "a strict function",
    ask: { tools: [{ ...LOOK, strict: true }] },
    chat: {
      sends: { ...CHAT, tools: [{ type: "function", function: { ...(CHAT_LOOK.function as object), strict: true } }] },
    },
    messages: {
      sends: {
        ...MESSAGES,
        tools: [
          {
            ...MESSAGES_LOOK,
            input_schema: { ...(MESSAGES_LOOK.input_schema as object), additionalProperties: false },
            strict: true,
          },
        ],
      },
    },
  },
  {
    name: "a function that is not strict",
    ask: { tools: [{ ...LOOK, strict: false }] },
    chat: {
      sends: { ...CHAT, tools: [{ type: "function", function: { ...(CHAT_LOOK.function as object), strict: false } }] },
    },
    messages: { sends: { ...MESSAGES, tools: [MESSAGES_LOOK] } },
  },
  {
    name: "a function that may be loaded late, by a search over tools",
    ask: { tools: [{ ...LOOK, defer_loading: true }, { type: "tool_search" }] },
    chat: { sends: { ...CHAT, tools: [CHAT_LOOK] }, drops: ["tools.tool_search"] },
    messages: { sends: { ...MESSAGES, tools: [MESSAGES_LOOK] }, drops: ["tools.tool_search"] },
  },
  {
    name: "a custom tool",
    ask: { tools: [PATCH] },
    chat: { sends: { ...CHAT, tools: [chatPatch("Patches")] } },
    messages: { sends: { ...MESSAGES, tools: [messagesPatch("Patches")] } },
  },
  {
    name: "a custom tool for any text",
    ask: { tools: [{ ...PATCH, format: { type: "text" } }] },
    chat: { sends: { ...CHAT, tools: [chatPatch("Patches")] } },
    messages: { sends: { ...MESSAGES, tools: [messagesPatch("Patches")] } },
  },
  {
    name: "a custom tool with a pattern",
    ask: { tools: [{ ...PATCH, format: { type: "grammar", syntax: "regex", definition: "[a-z]+" } }] },
    chat: {
      sends: { ...CHAT, tools: [chatPatch("Patches\n\nThe input follows this regex grammar:\n[a-z]+")] },
    },
    messages: {
      sends: { ...MESSAGES, tools: [messagesPatch("Patches\n\nThe input follows this regex grammar:\n[a-z]+")] },
    },
  },
  ...["web_search", "web_search_preview", "file_search", "code_interpreter", "image_generation", "mcp", "computer"].map(
    (type): RequestCase => ({
      name: `${type}, a tool that runs at a supplier`,
      ask: { tools: [{ type }, LOOK] },
      chat: { sends: { ...CHAT, tools: [CHAT_LOOK] }, drops: [`tools.${type}`] },
      messages: { sends: { ...MESSAGES, tools: [MESSAGES_LOOK] }, drops: [`tools.${type}`] },
    }),
  ),
  {
    name: "a shell that runs at a supplier",
    ask: { tools: [{ type: "shell", environment: { type: "container_auto" } }] },
    ...same(["tools.shell"]),
  },
  { name: "a tool of a kind with letters of its own", ask: { tools: [{ type: "suché" }] }, ...same(["tools.such_"]) },
  chosen("what the model likes", "auto", "auto", { type: "auto" }),
  chosen("none", "none", "none", { type: "none" }),
  chosen("any", "required", "required", { type: "any" }),
  chosen(
    "one function",
    { type: "function", name: "look" },
    { type: "function", function: { name: "look" } },
    {
      ...{ type: "tool", name: "look" },
    },
  ),
  {
    name: "the choice of one custom tool",
    ask: { tools: [PATCH, LOOK], tool_choice: { type: "custom", name: "patch" } },
    chat: {
      sends: {
        ...{ ...CHAT, tools: [chatPatch("Patches"), CHAT_LOOK] },
        tool_choice: { type: "function", function: { name: "patch" } },
      },
    },
    messages: {
      sends: {
        ...{ ...MESSAGES, tools: [messagesPatch("Patches"), MESSAGES_LOOK] },
        tool_choice: { type: "tool", name: "patch" },
      },
    },
  },
  {
    name: "the choice among some of the tools",
    ask: {
      tools: [LOOK, SUN],
      tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "sun" }] },
    },
    chat: { sends: { ...CHAT, tools: [CHAT_SUN], tool_choice: "auto" } },
    messages: { sends: { ...MESSAGES, tools: [MESSAGES_SUN], tool_choice: { type: "auto" } } },
  },
  {
    name: "the choice of any among some of the tools",
    ask: {
      tools: [LOOK, SUN],
      tool_choice: {
        ...{ type: "allowed_tools", mode: "required" },
        tools: [{ type: "function", name: "look" }, { type: "web_search" }],
      },
    },
    chat: { sends: { ...CHAT, tools: [CHAT_LOOK], tool_choice: "required" } },
    messages: { sends: { ...MESSAGES, tools: [MESSAGES_LOOK], tool_choice: { type: "any" } } },
  },
  {
    name: "the choice of what the model likes, where no tool runs here",
    ask: { tools: [{ type: "web_search" }], tool_choice: "auto" },
    ...same(["tools.web_search"]),
  },
  ...[
    "required",
    { type: "web_search" },
    { type: "mcp", server_label: "a" },
    { type: "allowed_tools", mode: "required", tools: [{ type: "web_search" }] },
  ].map(
    (tool_choice): RequestCase => ({
      name: `the choice ${JSON.stringify(tool_choice)}, which nobody here can meet`,
      ask: {
        tools: [{ type: "web_search" }, { type: "mcp", server_label: "a" }],
        tool_choice,
      },
      chat: { refuses: "tool_choice" },
      messages: { refuses: "tool_choice" },
    }),
  ),
  {
    name: "one call at a time",
    ask: { tools: [LOOK], parallel_tool_calls: false },
    chat: { sends: { ...CHAT, tools: [CHAT_LOOK], parallel_tool_calls: false } },
    messages: {
      sends: {
        ...{ ...MESSAGES, tools: [MESSAGES_LOOK] },
        tool_choice: { type: "auto", disable_parallel_tool_use: true },
      },
    },
  },
  {
    name: "one call at a time, and one there must be",
    ask: { tools: [LOOK], tool_choice: "required", parallel_tool_calls: false },
    chat: { sends: { ...CHAT, tools: [CHAT_LOOK], tool_choice: "required", parallel_tool_calls: false } },
    messages: {
      sends: {
        ...{ ...MESSAGES, tools: [MESSAGES_LOOK] },
        tool_choice: { type: "any", disable_parallel_tool_use: true },
      },
    },
  },
  { name: "one call at a time, without a tool", ask: { parallel_tool_calls: false }, ...same() },
];
