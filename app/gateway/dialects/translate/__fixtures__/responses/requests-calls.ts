import {
  answer,
  call,
  chatCall,
  customCall,
  customResult,
  inImage,
  inText,
  ofHistory,
  PICTURE,
  PNG,
  type RequestCase,
  result,
  text,
  toolMessage,
  toolResult,
  turn,
  use,
  user,
} from "./say";

const HISTORY = { tools: [ofHistory("look")], tool_choice: { type: "none" } };
const PATCHED = { tools: [ofHistory("patch")], tool_choice: { type: "none" } };
const picture = (url: string, more: object = {}) => ({ type: "image_url", image_url: { url, ...more } });

/** Calls of an input and their results. */
export const CALL_CASES: readonly RequestCase[] = [
  {
    name: "a call and its result",
    ask: { input: [user("hi"), call("c1", '{"city":"Rome"}'), result("c1", "sun")] },
    chat: {
      sends: {
        messages: [
          user("hi"),
          { role: "assistant", content: null, tool_calls: [chatCall("c1", '{"city":"Rome"}')] },
          toolMessage("c1", "sun"),
        ],
      },
    },
    messages: {
      sends: { messages: [turn("hi"), answer(use("c1", { city: "Rome" })), turn(toolResult("c1", "sun"))], ...HISTORY },
    },
  },
  {
    name: "a call without arguments",
    ask: { input: [user("hi"), call("c1", ""), result("c1", "sun")] },
    chat: {
      sends: {
        messages: [
          user("hi"),
          { role: "assistant", content: null, tool_calls: [chatCall("c1", "{}")] },
          toolMessage("c1", "sun"),
        ],
      },
    },
    messages: { sends: { messages: [turn("hi"), answer(use("c1", {})), turn(toolResult("c1", "sun"))], ...HISTORY } },
  },
  {
    name: "a call whose arguments broke off",
    ask: { input: [user("hi"), call("c1", '{"ci', { status: "incomplete" }), result("c1", "what?")] },
    chat: {
      sends: {
        messages: [
          user("hi"),
          {
            role: "assistant",
            content: null,
            tool_calls: [chatCall("c1", JSON.stringify({ invalid_arguments: '{"ci' }))],
          },
          toolMessage("c1", "what?"),
        ],
      },
    },
    messages: {
      sends: {
        messages: [turn("hi"), answer(use("c1", { invalid_arguments: '{"ci' })), turn(toolResult("c1", "what?"))],
        ...HISTORY,
      },
    },
  },
  {
    name: "two calls at a time, whose results come in another order",
    ask: {
      input: [user("hi"), call("c1", "{}"), call("c2", "{}"), result("c2", "rain"), result("c1", "sun"), user("so?")],
    },
    chat: {
      sends: {
        messages: [
          user("hi"),
          { role: "assistant", content: null, tool_calls: [chatCall("c1", "{}"), chatCall("c2", "{}")] },
          ...[toolMessage("c2", "rain"), toolMessage("c1", "sun"), user("so?")],
        ],
      },
    },
    messages: {
      sends: {
        messages: [
          ...[turn("hi"), answer(use("c1", {}), use("c2", {}))],
          turn(toolResult("c2", "rain"), toolResult("c1", "sun"), "so?"),
        ],
        ...HISTORY,
      },
    },
  },
  {
    name: "two calls one after the other",
    ask: { input: [user("hi"), call("c1", "{}"), result("c1", "sun"), call("c2", "{}"), result("c2", "rain")] },
    chat: {
      sends: {
        messages: [
          user("hi"),
          { role: "assistant", content: null, tool_calls: [chatCall("c1", "{}")] },
          toolMessage("c1", "sun"),
          { role: "assistant", content: null, tool_calls: [chatCall("c2", "{}")] },
          toolMessage("c2", "rain"),
        ],
      },
    },
    messages: {
      sends: {
        messages: [
          ...[turn("hi"), answer(use("c1", {})), turn(toolResult("c1", "sun"))],
          ...[answer(use("c2", {})), turn(toolResult("c2", "rain"))],
        ],
        ...HISTORY,
      },
    },
  },
  {
    name: "a result of texts",
    ask: { input: [user("hi"), call("c1", "{}"), result("c1", [inText("sun"), inText("wind")])] },
    chat: {
      sends: {
        messages: [
          user("hi"),
          { role: "assistant", content: null, tool_calls: [chatCall("c1", "{}")] },
          toolMessage("c1", "sun\nwind"),
        ],
      },
    },
    messages: {
      sends: {
        messages: [turn("hi"), answer(use("c1", {})), turn(toolResult("c1", [text("sun"), text("wind")]))],
        ...HISTORY,
      },
    },
  },
  {
    name: "a result with a picture",
    ask: { input: [user("hi"), call("c1", "{}"), result("c1", [inText("a map"), inImage(PNG)]), user("so?")] },
    chat: {
      sends: {
        messages: [
          user("hi"),
          { role: "assistant", content: null, tool_calls: [chatCall("c1", "{}")] },
          toolMessage("c1", "a map"),
          user([text("From the result of c1:"), picture(PNG)]),
          user("so?"),
        ],
      },
    },
    messages: {
      sends: {
        messages: [turn("hi"), answer(use("c1", {})), turn(toolResult("c1", [text("a map"), PICTURE]), "so?")],
        ...HISTORY,
      },
    },
  },
  {
    name: "an empty result",
    ask: { input: [user("hi"), call("c1", "{}"), result("c1", "")] },
    chat: {
      sends: {
        messages: [
          user("hi"),
          { role: "assistant", content: null, tool_calls: [chatCall("c1", "{}")] },
          toolMessage("c1", ""),
        ],
      },
    },
    messages: {
      sends: {
        messages: [turn("hi"), answer(use("c1", {})), turn({ type: "tool_result", tool_use_id: "c1" })],
        ...HISTORY,
      },
    },
  },
  {
    name: "a call of a custom tool and its result",
    ask: { input: [user("hi"), customCall("c1", "*** Begin"), customResult("c1", [inText("done")])] },
    chat: {
      sends: {
        messages: [
          user("hi"),
          { role: "assistant", content: null, tool_calls: [chatCall("c1", '{"input":"*** Begin"}', "patch")] },
          toolMessage("c1", "done"),
        ],
      },
    },
    messages: {
      sends: {
        messages: [turn("hi"), answer(use("c1", { input: "*** Begin" }, "patch")), turn(toolResult("c1", "done"))],
        ...PATCHED,
      },
    },
  },
];
