import { describe, expect, test } from "vitest";
import type { WireName } from "../canonical/exchange";
import { chatDialect } from "../dialects/chat";
import { messagesDialect } from "../dialects/messages";
import { responsesDialect } from "../dialects/responses";
import { dataIn } from "../dialects/translate/__fixtures__/streams";
import { translatorFor } from "../dialects/translators";
import { LiveStream } from "./live-stream";
import { asStream } from "./unstreamed";

const NUMBER = "12345678901234567890";
const ANSWERS: Partial<Record<WireName, string>> = {
  chat: `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Two.","reasoning_content":"Hm.","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\\"n\\":${NUMBER}}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":9}}`,
  messages: `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"Hm.","signature":"c2VhbA=="},{"type":"text","text":"Two."},{"type":"tool_use","id":"a","name":"f","input":{"n":${NUMBER}}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":7,"output_tokens":2}}`,
  gemini: `{"responseId":"g","candidates":[{"content":{"parts":[{"text":"Hm.","thought":true},{"text":"Two."},{"functionCall":{"name":"f","args":{"n":${NUMBER}}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":2}}`,
};

const user = [{ role: "user", content: "Hi" }];
const ASKS = {
  chat: chatDialect.read(
    JSON.stringify({ model: "m", messages: user, stream: true, stream_options: { include_usage: true } }),
  ),
  messages: messagesDialect.read(JSON.stringify({ model: "m", messages: user, max_tokens: 100, stream: true })),
  responses: responsesDialect.read(JSON.stringify({ model: "m", input: "Hi", stream: true })),
};
type Client = keyof typeof ASKS;

const whole = (body: string) => ({ kind: "whole" as const, status: 200, headers: {}, body: Buffer.from(body) });

async function seenBy(client: Client, wire: WireName, body: string) {
  const reply = asStream(whole(body), wire);
  if (reply.kind !== "stream") return null;
  const reader = translatorFor(client, wire)!.openStream(ASKS[client]);
  const live = new LiveStream(reply.source, reader);
  await live.opened;
  let text = "";
  const write = (bytes: Buffer) => {
    text += bytes.toString();
    return true;
  };
  live.connect({ write, onDrain: () => undefined });
  expect(await live.ended).toEqual({ kind: "complete" });
  expect(reader.usage).toMatchObject({ inputTokens: 7, outputTokens: 2 });
  return text + reader.terminal.toString();
}

describe.each(["chat", "messages", "gemini"] as const)(
  "a %s supplier that answers as a whole where a stream was asked for",
  (wire) => {
    const clients = (["chat", "messages", "responses"] as const).filter(
      (client) => translatorFor(client, wire) !== undefined,
    );
    test.each(clients)("has its answer delivered as one: %s", async (client) => {
      const seen = (await seenBy(client, wire, ANSWERS[wire]!))!;
      expect(seen).toContain("Two.");
      expect(seen).toContain(NUMBER);
      expect(seen).toMatch(/\[DONE\]|message_stop|response\.completed/);
      if (client === "chat")
        expect(dataIn(seen).at(-1).usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 2 });
    });

    test.each(['{"error":{"message":"busy"}}', "<html>", "", "[]", "{}", '{"choices":[]}'])(
      "unless it is none: %s",
      (body) => {
        expect(asStream(whole(body), wire)).toMatchObject({ kind: "whole" });
      },
    );
  },
);
