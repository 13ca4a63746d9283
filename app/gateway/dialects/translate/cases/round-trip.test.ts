import fc from "fast-check";
import { expect, test } from "vitest";
import { readChat } from "../../chat/read";
import { readMessages } from "../../messages/read";
import { aRoute } from "../__fixtures__/streams";
import { chatToMessages, messagesToChat } from "../index";

const words = fc.string({ unit: "binary", maxLength: 30 }).filter((text) => text.trim() !== "");
const ended = words.map((text) => text.trimEnd()).filter((text) => text !== "");
const textBlock = words.map((text) => ({ type: "text" as const, text }));
const image = fc
  .tuple(fc.constantFrom("image/png", "image/jpeg", "image/webp"), fc.base64String({ minLength: 4, maxLength: 16 }))
  .map(([media_type, data]) => ({ type: "image" as const, source: { type: "base64" as const, media_type, data } }));
const link = fc.webUrl().map((url) => ({ type: "image" as const, source: { type: "url" as const, url } }));
const pdf = fc.base64String({ minLength: 4, maxLength: 16 }).map((data) => ({
  type: "document" as const,
  source: { type: "base64" as const, media_type: "application/pdf", data },
  title: "a.pdf",
}));
const name = fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/);
const input = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });

type Block = Record<string, unknown>;
const question = fc.array(fc.oneof(textBlock, image, link, pdf), { minLength: 1, maxLength: 3 });
const exchange = fc.record({
  said: fc.option(ended),
  calls: fc.array(fc.record({ name, input, result: words }), { maxLength: 3 }),
  question,
});

/** Conversations of a messages client with all features that both dialects have in common. */
const conversation = fc
  .record({
    first: question,
    exchanges: fc.array(exchange, { maxLength: 4 }),
    system: fc.option(words),
    max_tokens: fc.integer({ min: 1, max: 9_000 }),
    temperature: fc.option(fc.double({ min: 0, max: 0.99, noNaN: true })),
    stop_sequences: fc.array(words, { minLength: 1, maxLength: 5 }),
    tool_choice: fc.constantFrom({ type: "auto" }, { type: "any", disable_parallel_tool_use: true }, { type: "none" }),
    user_id: fc.stringMatching(/^[a-z0-9]{1,64}$/),
  })
  .map(({ first, exchanges, system, temperature, user_id, ...rest }) => {
    const messages: { role: string; content: Block[] }[] = [{ role: "user", content: first }];
    let calls = 0;
    for (const { said, calls: made, question: next } of exchanges) {
      if (said === null && made.length === 0) continue;
      const uses = made.map(({ name, input }, index) => ({
        type: "tool_use",
        id: `toolu_${calls + index}`,
        name,
        input,
      }));
      calls += made.length;
      const results = made.map(({ result }, index) => ({
        type: "tool_result",
        tool_use_id: uses[index]!.id,
        content: result,
      }));
      messages.push({
        role: "assistant",
        content: [...(said === null ? [] : [{ type: "text", text: said }]), ...uses],
      });
      messages.push({ role: "user", content: [...results, ...next] });
    }
    return {
      model: "m",
      messages,
      tools: [{ name: "look_up", description: "Looks", input_schema: { type: "object", properties: {} } }],
      metadata: { user_id },
      ...(system === null ? {} : { system }),
      ...(temperature === null ? {} : { temperature }),
      ...rest,
    };
  });

test("what a messages client says comes back the same by way of the chat dialect", () => {
  fc.assert(
    fc.property(conversation, (body) => {
      const chat = messagesToChat.forward(readMessages(JSON.stringify(body)), aRoute("chat", "m")) as string;
      const back = chatToMessages.forward(readChat(chat), aRoute("messages", "m")) as string;
      expect(JSON.parse(back)).toEqual(JSON.parse(JSON.stringify(body)));
    }),
    { numRuns: 400 },
  );
});
