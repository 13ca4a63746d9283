import { expect, test } from "vitest";
import { readResponses } from "../responses/read";
import { sealThought } from "../wire/thoughts/sealed-thoughts";
import { responsesToChat, responsesToMessages } from "./__fixtures__/pairs";
import { aRoute } from "./__fixtures__/streams";

const ask = (more: object) => readResponses(JSON.stringify({ model: "m", input: "hi", ...more }));
const toChat = (more: object) => JSON.parse(responsesToChat.forward(ask(more), aRoute("chat")) as string);
const toMessages = (more: object) => JSON.parse(responsesToMessages.forward(ask(more), aRoute("messages")) as string);

const call = (call_id: string, name: string, given: object) => ({
  type: "function_call",
  id: `fc_${call_id}`,
  call_id,
  name,
  arguments: JSON.stringify(given),
});
const result = (call_id: string, output: unknown) => ({ type: "function_call_output", call_id, output });
const user = (content: unknown) => ({ role: "user", content });
const LOOK = { type: "function", name: "look", description: "Looks", parameters: { type: "object" }, strict: true };
const PNG = "data:image/png;base64,AAAA";
const PDF = "data:application/pdf;base64,BBBB";
const chatCall = (id: string, name: string, given: object) => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(given) },
});

/** A request, and the relevant part of the supplier's request in each dialect. */
const CASES: [string, object, { chat?: object; messages?: object }][] = [
  [
    "a text",
    { input: "hello" },
    {
      chat: { model: "upstream-model", messages: [user("hello")] },
      messages: { max_tokens: 4_000, messages: [user([{ type: "text", text: "hello" }])] },
    },
  ],
  [
    "instructions before everything",
    { instructions: "Be brief." },
    {
      chat: { messages: [{ role: "system", content: "Be brief." }, user("hi")] },
      messages: { system: "Be brief.", messages: [user([{ type: "text", text: "hi" }])] },
    },
  ],
  [
    "a developer's message",
    { input: [{ role: "developer", content: [{ type: "input_text", text: "Rules" }] }, user("hi")] },
    { chat: { messages: [{ role: "system", content: "Rules" }, user("hi")] }, messages: { system: "Rules" } },
  ],
  [
    "a picture beside a text",
    {
      input: [
        user([
          { type: "input_text", text: "what?" },
          { type: "input_image", image_url: PNG, detail: "low" },
        ]),
      ],
    },
    {
      chat: {
        messages: [
          user([
            { type: "text", text: "what?" },
            { type: "image_url", image_url: { url: PNG } },
          ]),
        ],
      },
      messages: {
        messages: [
          user([
            { type: "text", text: "what?" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
          ]),
        ],
      },
    },
  ],
  [
    "a picture by its address",
    { input: [user([{ type: "input_image", image_url: "https://a.example/b.png" }])] },
    {
      chat: { messages: [user([{ type: "image_url", image_url: { url: "https://a.example/b.png" } }])] },
      messages: { messages: [user([{ type: "image", source: { type: "url", url: "https://a.example/b.png" } }])] },
    },
  ],
  [
    "a document",
    { input: [user([{ type: "input_file", filename: "a.pdf", file_data: PDF }])] },
    {
      chat: { messages: [user([{ type: "file", file: { filename: "a.pdf", file_data: PDF } }])] },
      messages: {
        messages: [
          user([
            {
              type: "document",
              source: { type: "base64", media_type: "application/pdf", data: "BBBB" },
              title: "a.pdf",
            },
          ]),
        ],
      },
    },
  ],
  [
    "functions and a choice among them",
    { tools: [LOOK], tool_choice: { type: "function", name: "look" }, parallel_tool_calls: false },
    {
      chat: {
        tools: [
          {
            type: "function",
            function: { name: "look", description: "Looks", parameters: { type: "object" }, strict: true },
          },
        ],
        tool_choice: { type: "function", function: { name: "look" } },
        parallel_tool_calls: false,
      },
      messages: {
        tools: [{ name: "look", description: "Looks", input_schema: { type: "object" }, strict: true }],
        tool_choice: { type: "tool", name: "look", disable_parallel_tool_use: true },
      },
    },
  ],
  [
    "a choice that must be a call",
    { tools: [LOOK], tool_choice: "required" },
    { chat: { tool_choice: "required" }, messages: { tool_choice: { type: "any" } } },
  ],
  [
    "some of the tools only",
    {
      tools: [LOOK, { ...LOOK, name: "other" }],
      tool_choice: { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "other" }] },
    },
    {
      chat: { tool_choice: "required", tools: [{ type: "function", function: { name: "other" } }] },
      messages: { tool_choice: { type: "any" }, tools: [{ name: "other" }] },
    },
  ],
  [
    "parallel calls and their results as one turn each",
    {
      input: [
        user("weather?"),
        {
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: "Let me look", annotations: [] }],
        },
        call("c1", "look", { city: "Rome" }),
        call("c2", "look", { city: "Oslo" }),
        result("c1", "sun"),
        result("c2", [{ type: "input_text", text: "rain" }]),
      ],
    },
    {
      chat: {
        messages: [
          user("weather?"),
          {
            role: "assistant",
            content: "Let me look",
            tool_calls: [chatCall("c1", "look", { city: "Rome" }), chatCall("c2", "look", { city: "Oslo" })],
          },
          { role: "tool", tool_call_id: "c1", content: "sun" },
          { role: "tool", tool_call_id: "c2", content: "rain" },
        ],
      },
      messages: {
        messages: [
          user([{ type: "text", text: "weather?" }]),
          {
            role: "assistant",
            content: [
              { type: "text", text: "Let me look" },
              { type: "tool_use", id: "c1", name: "look", input: { city: "Rome" } },
              { type: "tool_use", id: "c2", name: "look", input: { city: "Oslo" } },
            ],
          },
          user([
            { type: "tool_result", tool_use_id: "c1", content: "sun" },
            { type: "tool_result", tool_use_id: "c2", content: "rain" },
          ]),
        ],
      },
    },
  ],
  [
    "a developer's word between a call and its result, which stay together",
    {
      input: [
        user("weather?"),
        call("c1", "look", {}),
        { role: "developer", content: "Hurry" },
        user("well?"),
        result("c1", "sun"),
      ],
    },
    {
      chat: {
        messages: [
          user("weather?"),
          { role: "assistant", tool_calls: [chatCall("c1", "look", {})] },
          { role: "tool", tool_call_id: "c1", content: "sun" },
          { role: "system", content: "Hurry" },
          user("well?"),
        ],
      },
    },
  ],
  [
    "a custom tool, which is a function with one field",
    {
      input: [
        user("patch"),
        { type: "custom_tool_call", call_id: "c1", name: "patch", input: "*** Begin" },
        { type: "custom_tool_call_output", call_id: "c1", output: "done" },
      ],
      tools: [
        {
          type: "custom",
          name: "patch",
          description: "Patches",
          format: { type: "grammar", syntax: "lark", definition: "start: X" },
        },
      ],
    },
    {
      chat: {
        messages: [
          user("patch"),
          { role: "assistant", tool_calls: [chatCall("c1", "patch", { input: "*** Begin" })] },
          { role: "tool", tool_call_id: "c1", content: "done" },
        ],
        tools: [
          {
            type: "function",
            function: {
              name: "patch",
              description: "Patches\n\nThe input follows this lark grammar:\nstart: X",
              parameters: { properties: { input: { type: "string" } }, required: ["input"] },
            },
          },
        ],
      },
      messages: { tools: [{ name: "patch", input_schema: { required: ["input"] } }] },
    },
  ],
  [
    "a thought of a messages-style supplier, which goes back there and nowhere else",
    {
      input: [
        user("hi"),
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: sealThought("Hmm", "seal") },
        { role: "assistant", content: "Hello" },
        user("and?"),
      ],
    },
    {
      chat: { messages: [user("hi"), { role: "assistant", content: "Hello" }, user("and?")] },
      messages: {
        messages: [
          user([{ type: "text", text: "hi" }]),
          {
            role: "assistant",
            content: [
              { type: "thinking", thinking: "Hmm", signature: "seal" },
              { type: "text", text: "Hello" },
            ],
          },
          user([{ type: "text", text: "and?" }]),
        ],
      },
    },
  ],
  [
    "a thought of a chat-style supplier",
    {
      input: [
        user("hi"),
        { type: "reasoning", summary: [], encrypted_content: sealThought("Hmm", "gw:reasoning_content") },
        call("c1", "look", {}),
        result("c1", "sun"),
      ],
    },
    { chat: { messages: [user("hi"), { role: "assistant", reasoning_content: "Hmm" }, { role: "tool" }] } },
  ],
  [
    "an answer by a schema",
    { text: { format: { type: "json_schema", name: "a", schema: { type: "object" }, strict: true } } },
    {
      chat: {
        response_format: { type: "json_schema", json_schema: { name: "a", schema: { type: "object" }, strict: true } },
      },
      messages: {
        output_config: { format: { type: "json_schema", schema: { type: "object", additionalProperties: false } } },
      },
    },
  ],
  [
    "an answer as JSON",
    { text: { format: { type: "json_object" } } },
    { chat: { response_format: { type: "json_object" } } },
  ],
  [
    "how hard to think",
    { reasoning: { effort: "high", summary: "auto" } },
    {
      messages: { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } },
    },
  ],
  ["not to think", { reasoning: { effort: "none" } }, { messages: { thinking: { type: "disabled" } } }],
  [
    "ceilings and sampling",
    { max_output_tokens: 99, temperature: 0.4, top_p: 0.5, safety_identifier: "u1" },
    {
      chat: { max_tokens: 99, temperature: 0.4, top_p: 0.5, user: "u1" },
      messages: { max_tokens: 99, temperature: 0.4, top_p: 0.5, metadata: { user_id: "u1" } },
    },
  ],
  [
    "a stream",
    { stream: true, stream_options: { include_obfuscation: false } },
    { chat: { stream: true, stream_options: { include_usage: true } }, messages: { stream: true } },
  ],
  [
    "what coding agents and frameworks always send",
    {
      ...{ store: true, include: ["reasoning.encrypted_content"], prompt_cache_key: "k", client_metadata: { a: "b" } },
      ...{ truncation: "disabled", service_tier: "auto", metadata: { session_id: "s" }, region: "eu", user: null },
    },
    { chat: { messages: [user("hi")] }, messages: { max_tokens: 4_000 } },
  ],
];

test.each(CASES)("%s", (_name, more, { chat = {}, messages = {} }) => {
  expect(toChat(more)).toMatchObject(chat);
  expect(toMessages(more)).toMatchObject(messages);
});

test("how hard to think goes to chat-style models that think, and is named as left out for others", () => {
  const inference = ask({ reasoning: { effort: "low" } });
  const thinker = aRoute("chat", "gpt-5");
  expect(JSON.parse(responsesToChat.forward(inference, thinker) as string).reasoning_effort).toBe("low");
  expect(responsesToChat.leftOut!(inference, thinker)).toEqual([]);
  expect(responsesToChat.leftOut!(inference, aRoute("chat"))).toEqual(["reasoning.effort"]);
});

test("nothing of the client's own fields reaches a supplier of another dialect", () => {
  const more = { store: true, metadata: { session_id: "s" }, include: [], prompt_cache_key: "k", region: "eu" };
  expect(Object.keys(toChat(more)).toSorted()).toEqual(["messages", "model"]);
  expect(Object.keys(toMessages(more)).toSorted()).toEqual(["max_tokens", "messages", "model"]);
});
