import { describe, expect, test } from "vitest";
import { ChatStreamReader } from "./stream";

const event = (chunk: object | string) =>
  Buffer.from(`data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`);
const content = (text: string) =>
  event({ id: "c", choices: [{ index: 0, delta: { content: text }, finish_reason: null }], usage: null });
const finish = event({ id: "c", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
const usage = event({ id: "c", choices: [], usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 } });
const done = event("[DONE]");

function read(reader: ChatStreamReader, ...pieces: Buffer[]): string {
  return pieces.map((piece) => reader.push(piece)?.toString() ?? "").join("");
}

describe("usage", () => {
  test("is read and hidden when the client did not ask for it", () => {
    const reader = new ChatStreamReader(false);
    const shown = read(reader, content("Hi"), finish, usage, done);
    expect(reader.usage).toMatchObject({ inputTokens: 7, outputTokens: 2 });
    expect(shown).not.toContain("usage");
    expect(shown).toContain('"content":"Hi"');
    expect(reader.state).toBe("finished");
  });

  test("is shown byte for byte when the client asked for it", () => {
    const reader = new ChatStreamReader(true);
    expect(read(reader, content("Hi"), finish, usage)).toBe(`${content("Hi")}${finish}${usage}`);
  });

  test("of nonsense is not believed", () => {
    const reader = new ChatStreamReader(false);
    read(reader, content("Hi"), event({ choices: [], usage: { prompt_tokens: -5, completion_tokens: 1e9 } }), done);
    expect(reader.usage).toBeNull();
  });
});

describe("the end", () => {
  test("the terminal event is kept back until the call is settled", () => {
    const reader = new ChatStreamReader(false);
    expect(read(reader, Buffer.concat([content("a"), finish, done]))).not.toContain("[DONE]");
    expect(reader.terminal.toString()).toBe("data: [DONE]\n\n");
  });

  test("nothing after the terminal event reaches the client", () => {
    const reader = new ChatStreamReader(false);
    expect(read(reader, content("a"), done, content("b"), done)).not.toContain('"b"');
  });

  test("a connection that ends after the finish reason is a complete answer, one that ends before is not", () => {
    const complete = new ChatStreamReader(false);
    read(complete, content("a"), finish);
    expect(complete.end()).toBe(true);
    const cut = new ChatStreamReader(false);
    read(cut, content("a"));
    expect(cut.end()).toBe(false);
  });
});

describe("what is not an answer", () => {
  test("an error event stops the stream and keeps the supplier's words", () => {
    const reader = new ChatStreamReader(false);
    read(reader, content("a"), event({ error: { message: "overloaded", type: "server_error", code: "busy" } }));
    expect(reader.state).toBe("failed");
    expect(reader.failure).toMatchObject({ code: "busy", message: "overloaded", protocol: false });
  });

  test("an event that is not JSON stops the stream and is not shown", () => {
    const reader = new ChatStreamReader(false);
    expect(read(reader, content("a"), event('{"choices":[{')).match(/data:/g)).toHaveLength(1);
    expect(reader.failure?.protocol).toBe(true);
  });
});

test("the stream counts as begun with the first real content, not with the role", () => {
  const reader = new ChatStreamReader(false);
  read(reader, event({ choices: [{ index: 0, delta: { role: "assistant", content: "" } }] }));
  expect(reader.started).toBe(false);
  read(reader, content("x"));
  expect(reader.started).toBe(true);
});

test("ordinary events pass unparsed, and their text is still all there when it is asked for", () => {
  const reader = new ChatStreamReader(false);
  const words = Array.from({ length: 3_000 }, (_, i) => ` word${i} \\"usage\\":null`);
  const shown = words.map((word) => reader.push(content(word))?.toString() ?? "").join("");
  expect(reader.outputText()).toBe(words.join(""));
  expect(shown).not.toContain(',"usage":null');
  expect(shown.match(/data: /g)).toHaveLength(3_000);
  for (const line of shown.split("\n\n").filter(Boolean)) expect(JSON.parse(line.slice(6))).not.toHaveProperty("usage");
});

test("an event that ends one choice and goes on with another is read, not passed over", () => {
  const reader = new ChatStreamReader(false);
  read(reader, content("a"));
  const both = [
    { index: 0, delta: {}, finish_reason: null },
    { index: 1, delta: {}, finish_reason: "stop" },
  ];
  read(reader, event({ choices: both }));
  expect(reader.end()).toBe(true);
});

test("tool calls are content, and their names and arguments are what is counted", () => {
  const reader = new ChatStreamReader(false);
  const call = (fn: object) =>
    event({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: "call_1", function: fn }] } }] });
  read(reader, call({ name: "look_up", arguments: "" }), call({ arguments: '{"q":' }), call({ arguments: "1}" }));
  expect(reader.started).toBe(true);
  expect(reader.outputText()).toBe('look_up{"q":1}');
});
