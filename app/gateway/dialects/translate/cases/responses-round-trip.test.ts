import fc from "fast-check";
import { expect, test } from "vitest";
import { readChat } from "../../chat/read";
import { readMessages } from "../../messages/read";
import { readResponses } from "../../responses/read";
import { responsesToChat, responsesToMessages } from "../__fixtures__/pairs";
import type { Json } from "../__fixtures__/responses/say";
import { chatStream, messagesStream } from "../__fixtures__/responses/streams-of";
import { aRoute, dataIn, through } from "../__fixtures__/streams";
import { chatToMessages, messagesToChat } from "../index";

const words = fc.string({ unit: "binary", minLength: 1, maxLength: 30 }).filter((text) => /[a-z]/i.test(text));
const name = fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/);
// Values after a round trip through JSON text, which has no -0.
const json = fc
  .dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Json);
const given = json.map((value) => JSON.stringify(value));
const inText = words.map((text): Json => ({ type: "input_text", text }));
const media = fc.oneof(
  fc.base64String({ minLength: 4, maxLength: 16 }).map((data): Json => {
    return { type: "input_image", image_url: `data:image/png;base64,${data}` };
  }),
  fc.webUrl().map((image_url): Json => ({ type: "input_image", image_url })),
  fc.base64String({ minLength: 4, maxLength: 16 }).map((data): Json => {
    return { type: "input_file", filename: "a.pdf", file_data: `data:application/pdf;base64,${data}` };
  }),
);

const question = fc.array(fc.oneof(inText, media), { minLength: 1, maxLength: 3 });
const turns = fc.array(
  fc.record({
    said: fc.option(words.map((text) => text.trim())),
    calls: fc.array(fc.record({ name, given, result: words, isCustom: fc.boolean() }), { maxLength: 3 }),
    question,
  }),
  { maxLength: 4 },
);

function itemsOf(first: Json[], rest: typeof turns extends fc.Arbitrary<infer T> ? T : never): Json[] {
  const items: Json[] = [{ role: "user", content: first }];
  let count = 0;
  for (const { said, calls, question: next } of rest) {
    // The messages dialect joins adjacent user messages to one turn.
    if (said === null && calls.length === 0) continue;
    if (said !== null) items.push({ role: "assistant", content: [{ type: "output_text", text: said }] });
    const results: Json[] = [];
    for (const { name, given, result, isCustom } of calls) {
      const call_id = `call_${count++}`;
      items.push(
        isCustom
          ? { type: "custom_tool_call", call_id, name, input: given }
          : { type: "function_call", call_id, name, arguments: given },
      );
      results.push({ type: isCustom ? "custom_tool_call_output" : "function_call_output", call_id, output: result });
    }
    items.push(...results, { role: "user", content: next });
  }
  return items;
}

/** Requests with all features that the three dialects have in common. */
const request = fc
  .record({
    first: question,
    turns,
    instructions: fc.option(words),
    max_output_tokens: fc.integer({ min: 16, max: 9_000 }),
    temperature: fc.option(fc.double({ min: 0, max: 0.99, noNaN: true })),
    top_p: fc.option(fc.double({ min: 0, max: 0.99, noNaN: true })),
    tool_choice: fc.constantFrom("auto", "none", "required", { type: "function", name: "look" }),
    parallel_tool_calls: fc.constantFrom(false, null),
    safety_identifier: fc.stringMatching(/^[a-z0-9]{1,64}$/),
    schema: fc.option(json),
    tool: fc.constantFrom(
      { type: "function", name: "patch", parameters: { type: "object" } },
      { type: "custom", name: "patch" },
    ),
    stream: fc.boolean(),
  })
  .map(({ first, turns: rest, schema, tool, ...more }) => ({
    ...{ model: "m", input: itemsOf(first, rest), ...more },
    // Without tool calls, parallel calls have no meaning.
    parallel_tool_calls: more.tool_choice === "none" ? null : more.parallel_tool_calls,
    tools: [{ type: "function", name: "look", description: "Looks", parameters: { type: "object" } }, tool],
    ...(schema === null ? {} : { text: { format: { type: "json_schema", name: "answer", schema, strict: true } } }),
  }));

const CHAT = aRoute("chat", "m");
const MESSAGES = aRoute("messages", "m");

test("what a responses client says to one dialect's suppliers is what the other's get of it", () => {
  fc.assert(
    fc.property(request, (body) => {
      const inference = readResponses(JSON.stringify(body));
      const chat = responsesToChat.forward(inference, CHAT) as string;
      const messages = responsesToMessages.forward(inference, MESSAGES) as string;
      expect(JSON.parse(chatToMessages.forward(readChat(chat), MESSAGES) as string)).toEqual(JSON.parse(messages));
      const { response_format: _, ...asked } = JSON.parse(chat);
      const back = JSON.parse(messagesToChat.forward(readMessages(messages), CHAT) as string);
      expect({ ...back, response_format: undefined }).toEqual({ ...asked, response_format: undefined });
    }),
    { numRuns: 100 },
  );
}, 60_000);

const chatAnswer = fc
  .record({
    content: fc.option(words),
    thought: fc.option(words),
    calls: fc.array(fc.record({ name, given }), { maxLength: 3 }),
    isCut: fc.boolean(),
  })
  .map(({ content, thought, calls, isCut }): Json => {
    const tool_calls = calls.map(({ name, given }, index) => ({
      ...{ id: `call_${index}`, type: "function", function: { name, arguments: given } },
    }));
    const message = {
      ...{ role: "assistant", content },
      ...(thought === null ? {} : { reasoning_content: thought }),
      ...(calls.length === 0 ? {} : { tool_calls }),
    };
    const finish_reason = isCut ? "length" : calls.length > 0 ? "tool_calls" : "stop";
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    return { id: "chatcmpl-1", model: "up", choices: [{ index: 0, message, finish_reason }], usage };
  });

const block = fc.oneof(
  words.map((text): Json => ({ type: "text", text })),
  fc
    .tuple(fc.string({ maxLength: 9 }), name)
    .map(([thinking, signature]): Json => ({ type: "thinking", thinking, signature })),
  name.map((data): Json => ({ type: "redacted_thinking", data })),
  fc.tuple(name, json).map(([tool, input]): Json => ({ type: "tool_use", name: tool, input })),
);
const messagesAnswer = fc
  .array(block, { maxLength: 5 })
  // Adjacent texts would be joined, so keep only the first.
  .map((blocks) => blocks.filter(({ type }, at) => type !== "text" || blocks[at - 1]?.type !== "text"))
  .map((blocks): Json => {
    const content = blocks.map((one, index) => (one.type === "tool_use" ? { ...one, id: `toolu_${index}` } : one));
    const head = { id: "msg_1", type: "message", role: "assistant", model: "up", stop_reason: "end_turn" };
    return { ...head, content, stop_sequence: null, usage: { input_tokens: 3, output_tokens: 2 } };
  });

test.each([
  ["chat", responsesToChat, chatStream, chatAnswer, (wire: Json) => asChat(wire)],
  ["messages", responsesToMessages, messagesStream, messagesAnswer, (wire: Json) => asMessages(wire)],
] as const)(
  "what a %s-style supplier says goes back as it came, whole and streamed",
  async (style, way, stream, answers, turn) => {
    await fc.assert(
      fc.asyncProperty(answers, async (answer) => {
        const inference = readResponses(JSON.stringify({ model: "m", input: "hi" }));
        const { body } = await way.readAnswer(inference, Buffer.from(JSON.stringify(answer)));
        const { output } = JSON.parse(body.toString());
        const seen = through(way.openStream(inference), [Buffer.from(stream(answer))]);
        expect(dataIn(seen).at(-1).response.output).toEqual(output);
        const next = [{ role: "user", content: "hi" }, ...output, { role: "user", content: "and?" }];
        const asked = readResponses(JSON.stringify({ model: "m", input: next }));
        const { messages } = JSON.parse(way.forward(asked, aRoute(style, "m")) as string);
        expect(messages.slice(1, -1)).toEqual(turn(answer));
      }),
      { numRuns: 150 },
    );
  },
);

function asChat({ choices }: Json): Json[] {
  const [{ message }] = choices as [{ message: Json }];
  return message.content === null && message.tool_calls === undefined ? [] : [message];
}

const asMessages = ({ content }: Json): Json[] =>
  (content as Json[]).length === 0 ? [] : [{ role: "assistant", content }];
