import { type Script, USAGE } from "../scripted-supplier";
import { type Body, namedCalls, words } from "./plan";

const STOPS = { end: "stop", length: "length", sequence: "stop", refusal: "content_filter" };

/** Returns a chat completion that is not streamed. */
export function chatMessage(body: Body, script: Script): object {
  const calls = namedCalls(body, script).map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  return {
    ...head(body, "chat.completion"),
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: script.text ?? null,
          ...(script.thinking ? { reasoning_content: script.thinking } : {}),
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        finish_reason: finishOf(script),
      },
    ],
    ...(script.hidesUsage ? {} : { usage: usageOf(script) }),
  };
}

/** Returns the events of the same answer as a stream. */
export function chatEvents(body: Body, script: Script): string[] {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    event({ ...head(body, "chat.completion.chunk"), choices: [{ index: 0, delta, finish_reason }], usage: null });
  const calls = namedCalls(body, script).flatMap(({ id, name, input }, index) => {
    const text = JSON.stringify(input);
    const deltas = [
      { index, id, type: "function", function: { name, arguments: "" } },
      { index, function: { arguments: text.slice(0, 4) } },
      { index, function: { arguments: text.slice(4) } },
    ];
    return deltas.map((call) => chunk({ tool_calls: [call] }));
  });
  return [
    chunk({ role: "assistant", content: "" }),
    ...words(script.thinking).map((reasoning_content) => chunk({ reasoning_content })),
    ...words(script.text).map((content) => chunk({ content })),
    ...calls,
    chunk({}, finishOf(script)),
    ...(body.stream_options?.include_usage && !script.hidesUsage
      ? [event({ ...head(body, "chat.completion.chunk"), choices: [], usage: usageOf(script) })]
      : []),
    "data: [DONE]\n\n",
  ];
}

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

const head = ({ model }: Body, object: string) => ({ id: "chatcmpl-s1", object, created: 1_790_000_000, model });

const finishOf = ({ calls, stop }: Script) => (calls?.length ? "tool_calls" : STOPS[stop ?? "end"]);

function usageOf({ usage = USAGE }: Script): object {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
}
