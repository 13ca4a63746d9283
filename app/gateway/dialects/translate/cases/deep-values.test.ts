import { describe, expect, test } from "vitest";
import { readChat } from "../../chat/read";
import type { WholeAnswer } from "../../dialect";
import { messagesToMessages } from "../../messages";
import { readMessages } from "../../messages/read";
import { aRoute } from "../__fixtures__/streams";
import { chatToMessages } from "../index";

describe("values nested thousands of levels deep", () => {
  const hello = readMessages(
    JSON.stringify({ model: "m", max_tokens: 5, messages: [{ role: "user", content: "hi" }] }),
  );
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;

  test("are refused in a request", () => {
    const text = `{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"hi"}],"metadata":{"session_id":"s","x":${deep}}}`;
    expect(() => readMessages(text)).toThrow(expect.objectContaining({ code: "invalid_json", status: 400 }));
  });

  test("are refused inside the arguments of a tool call", () => {
    const tool_calls = [{ id: "a", type: "function", function: { name: "f", arguments: `{"x":${deep}}` } }];
    const body = { model: "m", messages: [{ role: "assistant", content: null, tool_calls }] };
    expect(() => chatToMessages.forward(readChat(JSON.stringify(body)), aRoute("messages"))).toThrow(
      expect.objectContaining({ code: "invalid_request" }),
    );
  });

  test("are a failure of the supplier's in an answer, whole or streamed, passed on or translated", () => {
    const block = `{"type":"tool_use","id":"a","name":"f","input":{"x":${deep}}}`;
    const whole = Buffer.from(`{"type":"message","id":"m","content":[${block}],"stop_reason":"tool_use"}`);
    const chat = readChat(JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] }));
    expect(() => chatToMessages.readAnswer(chat, whole)).toThrow("nested too deeply");
    expect((messagesToMessages.readAnswer(hello, whole) as WholeAnswer).outputText()).toBe("f");
    const stream = chatToMessages.openStream(chat);
    stream.push(
      Buffer.from(
        `data: {"type":"content_block_start","index":0,"content_block":${block}}\n\ndata: {"type":"content_block_stop","index":0}\n\n`,
      ),
    );
    expect(stream.failure?.protocol).toBe(true);
  });
});
