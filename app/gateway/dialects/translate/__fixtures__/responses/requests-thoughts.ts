import { sealThought } from "../../../wire/thoughts/sealed-thoughts";
import {
  answer,
  call,
  chatCall,
  ofHistory,
  type RequestCase,
  result,
  said,
  toolMessage,
  toolResult,
  turn,
  use,
  user,
} from "./say";

const HISTORY = { tools: [ofHistory("look")], tool_choice: { type: "none" } };
/** Items of an input other than messages and calls. */
export const OTHER_ITEM_CASES: readonly RequestCase[] = [
  {
    name: "a thought of a messages-style supplier",
    ask: {
      input: [
        user("hi"),
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: sealThought("Hmm", "seal") },
        ...[said("Look"), call("c1", "{}"), result("c1", "sun")],
      ],
    },
    chat: {
      sends: {
        messages: [
          user("hi"),
          { role: "assistant", content: "Look", tool_calls: [chatCall("c1", "{}")] },
          toolMessage("c1", "sun"),
        ],
      },
    },
    messages: {
      sends: {
        messages: [
          turn("hi"),
          answer({ type: "thinking", thinking: "Hmm", signature: "seal" }, "Look", use("c1", {})),
          turn(toolResult("c1", "sun")),
        ],
        ...HISTORY,
      },
    },
  },
  {
    name: "a thought that is its seal alone",
    ask: {
      input: [
        user("hi"),
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: sealThought("", "sealed", true) },
        ...[said("Hello"), user("and?")],
      ],
    },
    chat: { sends: { messages: [user("hi"), { role: "assistant", content: "Hello" }, user("and?")] } },
    messages: {
      sends: {
        messages: [turn("hi"), answer({ type: "redacted_thinking", data: "sealed" }, "Hello"), turn("and?")],
      },
    },
  },
  {
    name: "a thought that another supplier has encrypted",
    ask: {
      input: [
        user("hi"),
        { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Hm" }], encrypted_content: "gAAA" },
        ...[said("Hello"), user("and?")],
      ],
    },
    chat: { sends: { messages: [user("hi"), { role: "assistant", content: "Hello" }, user("and?")] } },
    messages: { sends: { messages: [turn("hi"), answer("Hello"), turn("and?")] } },
  },
  {
    name: "a thought without a seal",
    ask: { input: [user("hi"), { type: "reasoning", id: "rs_1", summary: [] }, said("Hello"), user("and?")] },
    chat: { sends: { messages: [user("hi"), { role: "assistant", content: "Hello" }, user("and?")] } },
    messages: { sends: { messages: [turn("hi"), answer("Hello"), turn("and?")] } },
  },
  ...[
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "image_generation_call",
    "mcp_list_tools",
    "mcp_call",
    "mcp_approval_request",
    "mcp_approval_response",
  ].map(
    (type): RequestCase => ({
      name: `${type}, the work of a supplier's own tool`,
      ask: { input: [user("hi"), { type, id: "x_1", status: "completed" }, said("Hello"), user("and?")] },
      chat: {
        sends: { messages: [user("hi"), { role: "assistant", content: "Hello" }, user("and?")] },
        drops: [`input.${type}`],
      },
      messages: { sends: { messages: [turn("hi"), answer("Hello"), turn("and?")] }, drops: [`input.${type}`] },
    }),
  ),
  ...["computer_call_output", "compaction"].map(
    (type): RequestCase => ({
      name: `${type}, which means something to other suppliers alone`,
      ask: { input: [user("hi"), { type, id: "x_1" }] },
      chat: { refuses: "input[1].type" },
      messages: { refuses: "input[1].type" },
    }),
  ),
  {
    name: "a reference to an item that is not stored here",
    ask: { input: [user("hi"), { type: "item_reference", id: "msg_1" }] },
    chat: { refuses: "input[1]" },
    messages: { refuses: "input[1]" },
  },
];
