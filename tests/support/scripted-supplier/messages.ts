import { type Script, USAGE } from "../scripted-supplier";
import { type Body, namedCalls, words } from "./plan";

const STOPS = { end: "end_turn", length: "max_tokens", sequence: "stop_sequence", refusal: "refusal" };

/** Returns a message that is not streamed. */
export function messagesMessage(body: Body, script: Script): object {
  return {
    ...head(body),
    content: [
      ...(script.thinking ? [{ type: "thinking", thinking: script.thinking, signature: "Eq==" }] : []),
      ...(script.text ? [{ type: "text", text: script.text }] : []),
      ...namedCalls(body, script).map((call) => ({ type: "tool_use", ...call })),
    ],
    ...stopOf(body, script),
    usage: usageOf(script),
  };
}

/** Returns the events of the same answer as a stream. */
export function messagesEvents(body: Body, script: Script): string[] {
  let index = -1;
  const block = (content_block: object, deltas: object[]) => {
    index += 1;
    return [
      event({ type: "content_block_start", index, content_block }),
      ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
      event({ type: "content_block_stop", index }),
    ];
  };
  const thinking = words(script.thinking).map((piece) => ({ type: "thinking_delta", thinking: piece }));
  const seal = { type: "signature_delta", signature: "Eq==" };
  const { output_tokens, ...prompt } = usageOf(script);
  return [
    event({
      type: "message_start",
      message: {
        ...head(body),
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...prompt, output_tokens: 1 },
      },
    }),
    event({ type: "ping" }),
    ...(script.thinking ? block({ type: "thinking", thinking: "", signature: "" }, [...thinking, seal]) : []),
    ...(script.text
      ? block(
          { type: "text", text: "" },
          words(script.text).map((text) => ({ type: "text_delta", text })),
        )
      : []),
    ...namedCalls(body, script).flatMap(({ id, name, input }) => {
      const text = JSON.stringify(input);
      const pieces = ["", text.slice(0, 4), text.slice(4)];
      return block(
        { type: "tool_use", id, name, input: {} },
        pieces.map((partial_json) => ({ type: "input_json_delta", partial_json })),
      );
    }),
    event({ type: "message_delta", delta: stopOf(body, script), usage: { output_tokens } }),
    event({ type: "message_stop" }),
  ];
}

const event = (data: { type: string; [more: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const head = ({ model }: Body) => ({ id: "msg_s1", type: "message", role: "assistant", model });

function stopOf(body: Body, { calls, stop = "end" }: Script): object {
  if (calls?.length) return { stop_reason: "tool_use", stop_sequence: null };
  const stop_sequence = stop === "sequence" ? (body.stop_sequences?.[0] ?? null) : null;
  return { stop_reason: STOPS[stop], stop_sequence };
}

function usageOf({ usage = USAGE }: Script) {
  return {
    input_tokens: usage.input - usage.cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cached,
    output_tokens: usage.output,
    ...(usage.reasoning > 0 ? { output_tokens_details: { thinking_tokens: usage.reasoning } } : {}),
  };
}
