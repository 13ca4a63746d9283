import {
  type Counted,
  dataEvent,
  eventStream,
  type Json,
  json,
  pieces,
  type Reply,
  type Said,
  type Turn,
  writeExactly,
} from "../twin";

/** Deviations of a vendor's chat completions from the usual form; absent fields mean the usual form. */
type Oddities = {
  /** Field of the thoughts; `parts`: a list of content parts; null: thoughts are not returned. */
  thoughts?: "reasoning_content" | "reasoning" | "parts" | null;
  callId?: (serial: number, at: number, name: string) => string;
  /** `whole`: one event per call; `repeated`: every event has id and name; `index`: always zero, or absent. */
  calls?: { whole?: true; repeated?: true; index?: "zero" | "absent" };
  /** Position of the usage in a stream; usually a separate event, sent only if the request asks for it. */
  usage?: "last event" | "x_groq" | "choice" | "after done of choices";
  usageOf?: (counted: Counted) => Json;
  /** The finish reason before the end; usually null. */
  noReason?: "" | "absent";
  stop?: string;
  /** The stream begins with events whose choice has no delta, and with one event without choices. */
  emptyEvents?: true;
  comment?: string;
  isPacked?: true;
  /** Additional fields of a call. */
  besideCall?: (turn: Turn, at: number, id: string) => object;
  /** Additional fields of the message, or of the delta with its first call. */
  besideMessage?: (said: Said, turn: Turn) => object;
  pictures?: (url: string) => object;
  more?: object;
};

export const usualUsage = ({ input, cached, output, reasoning }: Counted): Json => ({
  prompt_tokens: input,
  completion_tokens: output + reasoning,
  total_tokens: input + output + reasoning,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
});

const usualId = (serial: number, at: number) => `call_${serial}_${at}`;

/** Writes answers in a vendor's form of chat completions, as one body or as events. */
export const sayChat =
  (oddities: Oddities = {}) =>
  (said: Said, turn: Turn): Reply => {
    const calls = said.calls.map(({ name, input }, at) => {
      const id = (oddities.callId ?? usualId)(turn.serial, at, name);
      return { id, name, text: writeExactly(input), more: oddities.besideCall?.(turn, at, id) ?? {} };
    });
    for (const { id } of calls) if (!turn.memory.calls.has(id)) turn.memory.calls.set(id, null);
    return turn.stream ? streamed(said, turn, calls, oddities) : whole(said, turn, calls, oddities);
  };

type Call = { id: string; name: string; text: string; more: object };

const headersOf = ({ isPacked }: Oddities): Record<string, string> => (isPacked ? { "content-encoding": "gzip" } : {});

const stopOf = (calls: readonly Call[], { stop = "stop" }: Oddities) => (calls.length > 0 ? "tool_calls" : stop);

const envelope = ({ serial, model }: Turn, object: string, { more }: Oddities) => ({
  id: `chatcmpl-${serial}`,
  object,
  created: 1_790_000_000,
  model,
  ...more,
});

function whole(said: Said, turn: Turn, calls: readonly Call[], oddities: Oddities): Reply {
  const thought = said.thoughts.join("");
  const usage = (oddities.usageOf ?? usualUsage)(turn.counted);
  const message = {
    role: "assistant",
    content: contentOf(said, thought, oddities),
    ...(thought === "" || oddities.thoughts == null || oddities.thoughts === "parts"
      ? {}
      : { [oddities.thoughts]: thought }),
    ...oddities.besideMessage?.(said, turn),
    ...(said.picture === undefined ? {} : oddities.pictures?.(said.picture)),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, name, text, more }) => ({
            id,
            type: "function",
            function: { name, arguments: text },
            ...more,
          })),
        }),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: stopOf(calls, oddities) };
  return json(200, { ...envelope(turn, "chat.completion", oddities), choices: [choice], usage }, headersOf(oddities));
}

function contentOf({ text }: Said, thought: string, { thoughts }: Oddities): Json {
  if (thoughts !== "parts" || thought === "") return text === "" ? null : text;
  return [
    { type: "thinking", thinking: [{ type: "text", text: thought }] },
    ...(text === "" ? [] : [{ type: "text", text }]),
  ];
}

function streamed(said: Said, turn: Turn, calls: readonly Call[], oddities: Oddities): Reply {
  const { noReason, usage: place, emptyEvents, comment } = oddities;
  const open = noReason === "absent" ? {} : { finish_reason: noReason ?? null };
  const shell = envelope(turn, "chat.completion.chunk", oddities);
  const event = (delta: object, more: object = {}) =>
    dataEvent({ ...shell, choices: [{ index: 0, delta, ...open, ...more }] });
  const usage = (oddities.usageOf ?? usualUsage)(turn.counted);
  const isAsked = turn.body.stream_options?.include_usage === true;
  const told = { prompt: usage };
  const last = {
    finish_reason: stopOf(calls, oddities),
    ...(place === "choice" ? { usage } : {}),
  };
  const lastMore = place === "last event" ? { usage } : place === "x_groq" ? { x_groq: { id: "req_1", usage } } : {};
  const chunks = [
    ...(emptyEvents
      ? [dataEvent({ ...shell, choices: [] }), dataEvent({ ...shell, choices: [{ index: 0, ...open }] })]
      : []),
    event({ role: "assistant", content: "" }),
    ...said.thoughts.map((thought) => event(thoughtDelta(thought, oddities))),
    ...(oddities.besideMessage && calls.length === 0 && said.thoughts.length > 0
      ? [event(oddities.besideMessage(said, turn))]
      : []),
    ...pieces(said.text).map((content) => event({ content })),
    ...(said.picture === undefined ? [] : [event(oddities.pictures?.(said.picture) ?? {})]),
    ...(oddities.besideMessage && calls.length > 0 ? [event(oddities.besideMessage(said, turn))] : []),
    ...calls.flatMap((call, at) => callDeltas(call, at, oddities).map((delta) => event({ tool_calls: [delta] }))),
    dataEvent({ ...shell, choices: [{ index: 0, delta: {}, ...last }], ...lastMore }),
    ...(place === undefined && isAsked ? [dataEvent({ ...shell, choices: [], usage: told.prompt })] : []),
    "data: [DONE]\n\n",
  ];
  const commented =
    comment === undefined
      ? chunks
      : chunks.flatMap((chunk, at) => (at % 5 === 0 ? [`: ${comment}\n\n`, chunk] : [chunk]));
  return eventStream(commented, headersOf(oddities));
}

function thoughtDelta(thought: string, { thoughts }: Oddities): object {
  if (thoughts == null) return {};
  if (thoughts !== "parts") return { [thoughts]: thought };
  return { content: [{ type: "thinking", thinking: [{ type: "text", text: thought }] }] };
}

function callDeltas({ id, name, text, more }: Call, at: number, { calls = {} }: Oddities): object[] {
  const index = calls.index === "absent" ? {} : { index: calls.index === "zero" ? 0 : at };
  const begin = { ...index, id, type: "function", ...more };
  if (calls.whole) return [{ ...begin, function: { name, arguments: text } }];
  const grow = calls.repeated ? { ...index, id, type: "function" } : index;
  return [
    { ...begin, function: { name, arguments: "" } },
    ...pieces(text, 11).map((piece) => ({
      ...grow,
      function: { ...(calls.repeated ? { name } : {}), arguments: piece },
    })),
  ];
}
