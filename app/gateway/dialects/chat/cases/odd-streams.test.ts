import { describe, expect, test } from "vitest";
import type { Usage } from "../../../canonical/usage";
import { readMessages } from "../../messages/read";
import { readResponses } from "../../responses/read";
import { messagesToChat } from "../../translate";
import { responsesToChat } from "../../translate/__fixtures__/pairs";
import { cutAt, dataIn, through } from "../../translate/__fixtures__/streams";
import { readChatAnswer } from "../answer";
import { ChatStreamReader } from "../stream";

type Json = Record<string, unknown>;

const event = (chunk: object | string) =>
  Buffer.from(`data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`);
const says = (delta: Json, finish_reason: unknown = null) =>
  event({ id: "c", model: "m", choices: [{ index: 0, delta, finish_reason }] });
const over = (finish_reason = "stop") => says({}, finish_reason);
const done = event("[DONE]");
const TOTALS = { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 };

const read = (...pieces: Buffer[]) => {
  const reader = new ChatStreamReader(true);
  const shown = pieces.map((piece) => reader.push(piece)?.toString() ?? "").join("");
  return { reader, shown };
};

const user = [{ role: "user", content: "hi" }];
const messagesStream = () =>
  messagesToChat.openStream(
    readMessages(
      JSON.stringify({ model: "m", max_tokens: 100, messages: user, stream: true, thinking: { type: "adaptive" } }),
    ),
  );
const responsesStream = () =>
  responsesToChat.openStream(readResponses(JSON.stringify({ model: "m", input: "hi", stream: true })));

/** Returns the text, calls and stop reason that a messages client gets; null if the stream broke. */
function asMessages(...pieces: Buffer[]) {
  const seen = through(messagesStream(), pieces);
  const deltas = dataIn(seen, "content_block_delta").map(({ delta }) => delta);
  const of = (name: string) => deltas.map((delta) => delta[name] ?? "").join("");
  const calls = dataIn(seen, "content_block_start").filter(({ content_block }) => content_block.type === "tool_use");
  return {
    text: of("text"),
    thought: of("thinking"),
    calls: calls.map(({ content_block, index }) => [
      content_block.name,
      dataIn(seen, "content_block_delta")
        .filter((delta) => delta.index === index)
        .map(({ delta }) => delta.partial_json)
        .join(""),
    ]),
    stop: dataIn(seen, "message_delta")[0]?.delta.stop_reason ?? null,
  };
}

describe("progress of whatever shape is content", () => {
  test.each<[string, Json, string]>([
    ["reasoning", { reasoning: "Hm." }, "Hm."],
    ["reasoning_content", { reasoning_content: "Hm." }, "Hm."],
    ["reasoning_text", { reasoning_text: "Hm." }, "Hm."],
    ["thinking", { thinking: "Hm." }, "Hm."],
    ["both names of one thought", { reasoning: "Hm.", reasoning_content: "Hm." }, "Hm."],
    ["a thought in parts", { reasoning_details: [{ type: "reasoning.text", text: "Hm.", signature: "c2Vh" }] }, "Hm."],
    ["one that is told twice", { reasoning: "Hm.", reasoning_details: [{ text: "Hm." }] }, "Hm."],
    ["a sealed one", { reasoning_details: [{ type: "reasoning.encrypted", data: "c2VhbA==" }] }, ""],
    [
      "a thought among the content",
      { content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }] },
      "Hm.",
    ],
    ["a picture", { images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] }, ""],
    ["sound", { audio: { id: "a" } }, '{"id":"a"}'],
    ["a citation", { annotations: [{ type: "url_citation", url_citation: { url: "https://a.example" } }] }, ""],
    ["what nobody knows yet", { hologram: { frames: 3 } }, ""],
  ])("%s", (_name, delta, text) => {
    const { reader, shown } = read(says({ role: "assistant", content: "" }), says({ content: "", ...delta }));
    expect(reader.started).toBe(true);
    expect(shown).toContain(JSON.stringify(delta).slice(1, -1));
    expect(reader.outputText()).toBe(text);
  });

  test.each<[string, Json]>([
    ["the role", { role: "assistant" }],
    ["nothing yet", { role: "assistant", content: "", tool_calls: [], refusal: null, reasoning: "" }],
  ])("but not %s", (_name, delta) => {
    expect(read(says(delta)).reader.started).toBe(false);
  });

  test("a long thought reaches the client piece by piece", () => {
    const reader = new ChatStreamReader(false);
    const shown = Array.from({ length: 1_500 }, (_, i) => reader.push(says({ reasoning: ` thought number ${i}` })));
    expect(shown.every((bytes) => bytes !== null)).toBe(true);
    expect(reader.outputText()).toContain(" thought number 1499");
  });

  test("pictures are counted, and their bytes are no text", () => {
    const picture = { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(1_000)}` } };
    const { reader } = read(says({ content: "Here:" }), says({ images: [picture] }), says({ content: [picture] }));
    expect([reader.pictures, reader.outputText()]).toEqual([2, "Here:"]);
    const body = { choices: [{ message: { content: "Here:", images: [picture] }, finish_reason: "stop" }] };
    const whole = readChatAnswer(Buffer.from(JSON.stringify(body)));
    expect([whole.pictures, whole.outputText()]).toEqual([1, "Here:"]);
  });

  test("also in whole answers: thoughts of any name are counted", () => {
    const words = "hm ".repeat(1_000);
    for (const message of [
      { reasoning: words },
      { reasoning_content: words },
      { reasoning_details: [{ text: words }] },
    ]) {
      const body = { choices: [{ message: { content: "", ...message }, finish_reason: "stop" }] };
      expect(readChatAnswer(Buffer.from(JSON.stringify(body))).outputText()).toBe(words);
    }
  });
});

describe("a stream ends when its supplier says so", () => {
  const pieces = [says({ content: "I will " }, ""), says({ content: "look." }, "")];
  const call = { id: "a", type: "function", function: { name: "look", arguments: "{}" } };
  const CALL = says({ tool_calls: [{ index: 0, ...call }] }, "");

  test("an empty reason is none", () => {
    expect(asMessages(...pieces, CALL, over("tool_calls"), done)).toMatchObject({
      text: "I will look.",
      calls: [["look", "{}"]],
      stop: "tool_use",
    });
    const seen = through(responsesStream(), [...pieces, CALL, over("tool_calls"), done]);
    const [completed] = dataIn(seen, "response.completed");
    expect(completed.response.output.map(({ type }: Json) => type)).toEqual(["message", "function_call"]);
  });

  test("a reason in every chunk is none, in translation either", () => {
    const all = [says({ content: "a" }, "stop"), says({ content: "b" }, "stop"), says({ content: "c" }, "stop")];
    expect(asMessages(...all, done)).toMatchObject({ text: "abc", stop: "end_turn" });
    expect(asMessages(...all, event({ choices: [], usage: TOTALS }))).toMatchObject({ text: "abc", stop: "end_turn" });
  });

  test.each<[string, Buffer[]]>([
    ["an empty reason in every chunk", pieces],
    ["a reason in every chunk", [says({ content: "a" }, "stop"), says({ content: "b" }, "stop")]],
    ["no reason at all", [says({ content: "a" }), says({ content: "b" })]],
    [
      "a choice that has not ended",
      [says({ content: "a" }), event({ choices: [{ index: 1, delta: { content: "b" }, finish_reason: "stop" }] })],
    ],
  ])("one that stops behind %s is cut", (_name, sent) => {
    expect(read(...sent).reader.end()).toBe(false);
    expect(asMessages(...sent).stop).toBeNull();
  });

  test.each<[string, Buffer[]]>([
    ["its last reason", [says({ content: "a" }), over()]],
    ["its usage", [says({ content: "a" }), over(), event({ choices: [], usage: TOTALS })]],
    ["an end without a delta", [says({ content: "a" }), event({ choices: [{ index: 0, finish_reason: "stop" }] })]],
  ])("one that closes behind %s without [DONE] is whole", (_name, sent) => {
    const { reader } = read(...sent);
    expect(reader.end()).toBe(true);
    expect(asMessages(...sent)).toMatchObject({ text: "a", stop: "end_turn" });
  });
});

describe("the usage is found wherever it stands", () => {
  const choice = { index: 0, delta: { content: "a" }, finish_reason: null };
  test.each<[string, Buffer[]]>([
    ["in an event of its own", [over(), event({ choices: [], usage: TOTALS })]],
    ["in the last chunk", [event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage: TOTALS })]],
    [
      "in every chunk, growing",
      [
        event({ choices: [choice], usage: { prompt_tokens: 7, completion_tokens: 1 } }),
        event({ choices: [{ ...choice, finish_reason: "stop" }], usage: TOTALS }),
      ],
    ],
    [
      "among what is the supplier's own",
      [
        event({
          choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
          usage: null,
          x_groq: { id: "r", usage: TOTALS },
        }),
      ],
    ],
    ["beside a choice", [event({ choices: [{ index: 0, delta: {}, finish_reason: "stop", usage: TOTALS }] })]],
    [
      "beside a piece of content, among what is the supplier's own",
      [event({ choices: [choice], usage: null, x_groq: { usage: TOTALS } }), over()],
    ],
  ])("%s", (_name, sent) => {
    const expected: Partial<Usage> = { inputTokens: 7, outputTokens: 2 };
    const all = [says({ content: "x" }), ...sent, done];
    expect(read(...all).reader.usage).toMatchObject(expected);
    const translated = messagesStream();
    for (const piece of all) translated.push(piece);
    expect(translated.usage).toMatchObject(expected);
  });
});

describe("tool calls in odd forms are the calls that were meant", () => {
  const named = (name: string, given: string, more: Json = {}) => ({ ...more, function: { name, arguments: given } });
  test.each<[string, Json[][], [string, string][]]>([
    [
      "one sent whole twice",
      [[named("f", '{"a":1}', { index: 0, id: "x" })], [named("f", '{"a":1}', { index: 0, id: "x" })]],
      [["f", '{"a":1}']],
    ],
    [
      "one that is told from its beginning each time",
      [[named("f", '{"a"', { index: 0, id: "x" })], [named("f", '{"a":1}', { index: 0, id: "x" })]],
      [["f", '{"a":1}']],
    ],
    [
      "two without index and id in one chunk",
      [[named("f", "{}"), named("g", '{"b":2}')]],
      [
        ["f", "{}"],
        ["g", '{"b":2}'],
      ],
    ],
    [
      "two without index and id in two chunks",
      [[named("f", '{"a":1}')], [named("f", '{"a":2}')]],
      [
        ["f", '{"a":1}'],
        ["f", '{"a":2}'],
      ],
    ],
    [
      "two of the same index",
      [[named("f", "{}", { index: 0 })], [named("g", "{}", { index: 0 })]],
      [
        ["f", "{}"],
        ["g", "{}"],
      ],
    ],
    [
      "two of which the second has no name",
      [[named("f", '{"a":1}', { index: 0 })], [{ index: 0, function: { arguments: '{"a":2}' } }]],
      [
        ["f", '{"a":1}'],
        ["f", '{"a":2}'],
      ],
    ],
    [
      "one that is told once more at its end, without its name",
      [
        [named("f", '{"a":', { index: 0 })],
        [{ index: 0, function: { arguments: "1}" } }],
        [{ index: 0, function: { arguments: '{"a":1}' } }],
      ],
      [["f", '{"a":1}']],
    ],
    [
      "one in pieces without index and id",
      [[named("f", '{"a":')], [{ function: { arguments: "1}" } }]],
      [["f", '{"a":1}']],
    ],
    [
      "one that names itself in every piece",
      [[named("f", '{"a":', { index: 0, id: "x" })], [named("f", "1}", { index: 0, id: "x" })]],
      [["f", '{"a":1}']],
    ],
    [
      "one whose piece looks like its beginning",
      [
        [named("f", '{"a":"', { index: 0, id: "x" })],
        [{ index: 0, function: { arguments: '{\\"a\\":\\"' } }],
        [{ index: 0, function: { arguments: '"}' } }],
      ],
      [["f", '{"a":"{\\"a\\":\\""}']],
    ],
  ])("%s", (_name, deltas, calls) => {
    expect(asMessages(...deltas.map((tool_calls) => says({ tool_calls })), over("tool_calls"), done).calls).toEqual(
      calls,
    );
  });
});

test("comments, CRLF, a byte order mark and cuts at any place change nothing", () => {
  const text = [
    says({ content: "Gr\u00fc\u00df" }),
    says({ reasoning: "\u{1F600}" }),
    over(),
    event({ choices: [], usage: TOTALS }),
    done,
  ]
    .map((bytes) => `: keep-alive\n\n${bytes}`)
    .join("");
  const odd = Buffer.from(`\uFEFF${text.replaceAll("\n", "\r\n")}`);
  const expected = asMessages(odd);
  expect(expected).toMatchObject({ text: "Gr\u00fc\u00df", thought: "\u{1F600}", stop: "end_turn" });
  for (let at = 1; at < odd.length; at += 1) expect(asMessages(...cutAt(odd, [at]))).toEqual(expected);
});

describe("an answer that failed is an error, whatever was said before", () => {
  const FAILURES = [
    "error",
    "insufficient_system_resource",
    "network_error",
    "function_call_filter: MALFORMED_FUNCTION_CALL",
  ];
  test.each(FAILURES)("%s", (reason) => {
    const { reader } = read(says({ content: "a" }), over(reason));
    expect(reader).toMatchObject({ state: "failed", failure: { protocol: false } });
    expect(asMessages(says({ content: "a" }), over(reason)).stop).toBeNull();
    const body = Buffer.from(JSON.stringify({ choices: [{ message: { content: "a" }, finish_reason: reason }] }));
    expect(() => readChatAnswer(body)).toThrow(reason);
  });

  test.each([
    ["model_length", "max_tokens"],
    ["sensitive", "refusal"],
    ["content_filter: SAFETY", "refusal"],
  ])("%s is %s", (reason, stop) => {
    expect(asMessages(says({ content: "a" }), over(reason), done).stop).toBe(stop);
  });
});
