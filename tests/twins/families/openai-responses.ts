import { contentText, pictureParts } from "../chat/hear";
import {
  type Api,
  eventStream,
  type Heard,
  type Json,
  json,
  namedEvent,
  pieces,
  type Reply,
  type Said,
  type Turn,
  writeExactly,
} from "../twin";
import { refuseLikeOpenAi } from "./openai-chat";
import { itemsOf, RULES, toolsOf } from "./openai-responses-rules";

function hear(body: Json): Heard {
  const items = itemsOf(body.input);
  const told = items.filter(({ type, role }) => type === "message" && role !== "assistant");
  const results = items.filter(({ type }) => type === "function_call_output");
  return {
    text: [body.instructions ?? "", ...told.map(({ content }) => contentText(content))].join("\n"),
    tools: toolsOf(body).map(({ name }) => name ?? ""),
    results: results.map(({ output }) => (typeof output === "string" ? output : contentText(output))),
    pictures: [...told.map(({ content }) => content), ...results.map(({ output }) => output)].flatMap((content) =>
      pictureParts(content),
    ).length,
    thinks: body.reasoning?.effort !== "none",
    hasSchema: body.text?.format?.type === "json_schema" || body.text?.format?.type === "json_object",
  };
}

function itemsSaid(said: Said, turn: Turn): Json[] {
  const { serial, memory, body } = turn;
  const isSealed = body.include?.includes("reasoning.encrypted_content") === true;
  const named = new Map(toolsOf(body).map(({ name, namespace }) => [name, namespace]));
  const thought = said.thoughts.join("");
  return [
    ...(thought === ""
      ? []
      : [
          {
            id: `rs_${serial}`,
            type: "reasoning",
            summary: body.reasoning?.summary == null ? [] : [{ type: "summary_text", text: thought }],
            ...(isSealed ? { encrypted_content: memory.seal(serial, thought) } : {}),
          },
        ]),
    ...(said.text === ""
      ? []
      : [
          {
            id: `msg_${serial}`,
            type: "message",
            status: "completed",
            role: "assistant",
            content: [{ type: "output_text", text: said.text, annotations: [], logprobs: [] }],
          },
        ]),
    ...said.calls.map(({ name, input }, at) => ({
      id: `fc_${serial}_${at}`,
      type: "function_call",
      status: "completed",
      call_id: `call_${serial}_${at}`,
      name,
      ...(named.get(name) === undefined ? {} : { namespace: named.get(name) }),
      arguments: writeExactly(input),
    })),
  ];
}

function say(said: Said, turn: Turn): Reply {
  const { input, cached, output, reasoning } = turn.counted;
  const items = itemsSaid(said, turn);
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output + reasoning,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output + reasoning,
  };
  const response = {
    id: `resp_${turn.serial}`,
    object: "response",
    created_at: 1_790_000_000,
    status: "completed",
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    model: `${turn.model}-2026-07-01`,
    output: items,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    truncation: "disabled",
    usage,
    user: null,
  };
  if (!turn.stream) return json(200, response);
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  const events = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...items.flatMap((item, output_index) => itemEvents(item, output_index)),
    { type: "response.completed", response },
  ];
  return eventStream(events.map((event, sequence_number) => namedEvent(event.type, { ...event, sequence_number })));
}

function itemEvents(item: Json, output_index: number): ({ type: string } & Json)[] {
  const at = { item_id: item.id, output_index };
  const added = (open: object) => ({ type: "response.output_item.added", output_index, item: { ...item, ...open } });
  const done = { type: "response.output_item.done", output_index, item };
  if (item.type === "reasoning") {
    const place = { ...at, summary_index: 0 };
    const summary = item.summary.flatMap(({ text }: Json) => [
      { type: "response.reasoning_summary_part.added", ...place, part: { type: "summary_text", text: "" } },
      ...pieces(text).map((delta) => ({ type: "response.reasoning_summary_text.delta", ...place, delta })),
      { type: "response.reasoning_summary_text.done", ...place, text },
      { type: "response.reasoning_summary_part.done", ...place, part: { type: "summary_text", text } },
    ]);
    return [added({ summary: [] }), ...summary, done];
  }
  if (item.type === "function_call") {
    const { arguments: text } = item;
    return [
      added({ status: "in_progress", arguments: "" }),
      ...pieces(text, 11).map((delta) => ({ type: "response.function_call_arguments.delta", ...at, delta })),
      { type: "response.function_call_arguments.done", ...at, arguments: text },
      done,
    ];
  }
  const [{ text }] = item.content;
  const place = { ...at, content_index: 0 };
  return [
    added({ status: "in_progress", content: [] }),
    { type: "response.content_part.added", ...place, part: { type: "output_text", text: "", annotations: [] } },
    ...pieces(text).map((delta) => ({ type: "response.output_text.delta", ...place, delta })),
    { type: "response.output_text.done", ...place, text },
    { type: "response.content_part.done", ...place, part: item.content[0] },
    done,
  ];
}

/** The responses API of a model that thinks. */
export const responsesApi: Api = { path: /^\/v1\/responses$/, rules: RULES, hear, say, refuse: refuseLikeOpenAi };
