import { describe, expect, test } from "vitest";
import { nativeViolations } from "../../../../../tests/support/stream-grammar";
import { readResponses } from "../../responses/read";
import { responsesToChat, responsesToMessages } from "../__fixtures__/pairs";
import { ANSWER_CASES, type AnswerCase } from "../__fixtures__/responses/answers";
import { type Json, user } from "../__fixtures__/responses/say";
import { chatStream, messagesStream } from "../__fixtures__/responses/streams-of";
import { aRoute, dataIn, through } from "../__fixtures__/streams";

const WAYS = { chat: responsesToChat, messages: responsesToMessages };
const STREAMS = { chat: chatStream, messages: messagesStream };
type Style = keyof typeof WAYS;

const ask = (more: object = {}) => readResponses(JSON.stringify({ model: "m", input: "hi", ...more }));
const whole = async (style: Style, answer: Json, more: object = {}) =>
  JSON.parse((await WAYS[style].readAnswer(ask(more), Buffer.from(JSON.stringify(answer)))).body.toString());
const streamed = (style: Style, answer: Json, more: object = {}) =>
  through(WAYS[style].openStream(ask({ stream: true, ...more })), [Buffer.from(STREAMS[style](answer))]);
const withoutIds = (output: readonly Json[]) => output.map(({ id: _, ...item }) => item);

const USAGE = {
  ...{ input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  input_tokens_details: { cached_tokens: 4 },
  output_tokens_details: { reasoning_tokens: 0 },
};

/** Returns the cases that apply to suppliers of one dialect. */
const casesOf = (style: Style) =>
  ANSWER_CASES.flatMap((one) => {
    const given = one[style];
    return given === undefined ? [] : [{ ...one, ...given }];
  });

function expected({ status = "completed", incomplete, output, usage = USAGE }: AnswerCase["gives"]) {
  return { status, incomplete_details: incomplete === undefined ? null : { reason: incomplete }, output, usage };
}

const shown = ({ status, incomplete_details, output, usage }: Json) => ({
  ...{ status, incomplete_details, usage },
  output: withoutIds(output as Json[]),
});

describe.each(["chat", "messages"] as const)("an answer of a %s-style supplier", (style) => {
  const cases = casesOf(style);

  test.each(cases)("$name, whole", async ({ ask: more, answer, gives }) => {
    expect(shown(await whole(style, answer, more))).toEqual(expected(gives));
  });

  test.each(cases)("$name, as a stream", ({ ask: more, answer, gives }) => {
    const seen = streamed(style, answer, more);
    expect(nativeViolations(seen)).toEqual([]);
    const last = dataIn(seen).at(-1);
    expect(last.type).toBe(`response.${expected(gives).status}`);
    expect(shown(last.response)).toEqual(expected(gives));
  });

  test.each(cases)("$name, item by item", ({ ask: more, answer }) => {
    const events = dataIn(streamed(style, answer, more));
    const { output } = events.at(-1).response;
    for (const [index, item] of output.entries()) {
      const about = events.filter((event) => event.output_index === index);
      expect(about.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1])).toEqual(eventsOf(item));
      for (const event of about) expect(event.item_id ?? event.item.id).toBe(item.id);
      expect(about.at(-1).item).toEqual(item);
    }
  });

  test.each(cases.filter(({ isLostOnTheWayBack }) => !isLostOnTheWayBack))("$name, sent back", async (one) => {
    const { output } = await whole(style, one.answer, one.ask);
    const inference = ask({ ...one.ask, input: [user("hi"), ...output, user("and?")] });
    const { messages } = JSON.parse(WAYS[style].forward(inference, aRoute(style)) as string);
    expect(messages.slice(1, -1)).toEqual(SENT_BACK[style](one.answer));
  });
});

/** Returns the event types of an item in order; adjacent events of one type count as one. */
function eventsOf(item: Json): string[] {
  const [part] = (item.content ?? item.summary ?? []) as Json[];
  const growth: Readonly<Record<string, string[]>> = {
    output_text: ["content_part.added", "output_text.delta", ...cited(part), "output_text.done", "content_part.done"],
    refusal: ["content_part.added", "refusal.delta", "refusal.done", "content_part.done"],
    summary_text: [
      ...["reasoning_summary_part.added", "reasoning_summary_text.delta"],
      ...["reasoning_summary_text.done", "reasoning_summary_part.done"],
    ],
    function_call: ["function_call_arguments.delta", "function_call_arguments.done"],
    custom_tool_call: ["custom_tool_call_input.delta", "custom_tool_call_input.done"],
    reasoning: [],
  };
  const grown = growth[(part?.type ?? item.type) as string];
  return ["output_item.added", ...(grown ?? ["unknown"]), "output_item.done"].map((type) => `response.${type}`);
}

const cited = (part: Json | undefined) =>
  (part?.annotations as unknown[] | undefined)?.length ? ["output_text.annotation.added"] : [];

/** Functions per dialect that convert a supplier's answer to its turn in the next request. */
const SENT_BACK: Readonly<Record<Style, (answer: Json) => Json[]>> = {
  chat({ choices }) {
    const [{ message }] = choices as [{ message: Json }];
    const { content, refusal, annotations: _, ...rest } = message;
    const words = [content, refusal].filter(Boolean).join("\n\n");
    if (words === "" && rest.tool_calls === undefined) return [];
    return [{ ...rest, content: words === "" ? null : words }];
  },
  messages({ content }) {
    // Suppliers do not accept a thought without a seal.
    const blocks = (content as Json[]).filter(({ signature }) => signature !== "");
    const joined: Json[] = [];
    for (const block of blocks) {
      const last = joined.at(-1);
      if (block.type === "text" && last?.type === "text")
        joined[joined.length - 1] = { ...last, text: `${last.text}${block.text}` };
      else joined.push(block);
    }
    return joined.length === 0 ? [] : [{ role: "assistant", content: joined }];
  },
};

test("a response tells what was asked beside what came of it", async () => {
  const body = {
    ...{ instructions: "Be brief.", metadata: { team: "a" }, max_output_tokens: 9, temperature: 0.5, top_p: 0.5 },
    ...{ tools: [{ type: "function", name: "look", parameters: {}, strict: true }], tool_choice: "required" },
    ...{ parallel_tool_calls: false, store: false, user: "u", truncation: "auto", reasoning: { effort: "low" } },
    ...{ text: { verbosity: "low" }, prompt_cache_key: "k", safety_identifier: "s", max_tool_calls: 2 },
    ...{ frequency_penalty: 0.1, presence_penalty: 0.2 },
  };
  const { answer } = casesOf("chat")[0]!;
  const { id, created_at, completed_at, output: _, usage: __, ...rest } = await whole("chat", answer, body);
  expect(id).toMatch(/^resp_[0-9a-f]{32}$/);
  expect(completed_at).toBeGreaterThanOrEqual(created_at);
  expect(rest).toEqual({
    ...body,
    ...{ object: "response", status: "completed", background: false, error: null, incomplete_details: null },
    ...{ model: "up", previous_response_id: null, service_tier: "default", top_logprobs: 0 },
    ...{ reasoning: { effort: "low", summary: null }, text: { format: { type: "text" }, verbosity: "low" } },
  });
});
