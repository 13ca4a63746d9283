import { describe, expect, test } from "vitest";
import type { SupplierFailure } from "../../canonical/supplier-failure";
import { readChatAnswer } from "../chat/answer";
import { readChat } from "../chat/read";
import { ChatStreamReader } from "../chat/stream";
import type { StreamReader } from "../dialect";
import { readMessagesAnswer } from "../messages/answer";
import { readMessages } from "../messages/read";
import { MessagesStreamReader } from "../messages/stream";
import { NativeStreamReader } from "../native/stream";
import { chatToMessages, messagesToChat } from "../translate";

// Errors that suppliers have sent with a status of 200, in all shapes of their error answers.

type Shape = [name: string, wire: unknown, told: { code?: string | null; message: string; status?: number }];

const SHAPES: Shape[] = [
  ["an object", { error: { code: "busy", message: "Overloaded" } }, { code: "busy", message: "Overloaded" }],
  ["a text", { error: "Overloaded" }, { message: "Overloaded" }],
  ["a flag", { error: true, message: "Overloaded" }, { message: "Overloaded" }],
  [
    "the object itself",
    { object: "error", message: "Overloaded", type: "BadRequestError", param: null, code: 400 },
    { message: "Overloaded", status: 400 },
  ],
  [
    "a code and words",
    { code: "Throttling", message: "Overloaded", request_id: "r" },
    { code: "Throttling", message: "Overloaded" },
  ],
  ["a number and words", { code: 1305, msg: "Overloaded" }, { code: "1305", message: "Overloaded" }],
  ["what is the host's own", { choices: [], x_groq: { id: "r", error: "Overloaded" } }, { message: "Overloaded" }],
  ["a detail", { detail: "Overloaded" }, { message: "Overloaded" }],
  ["faults", { detail: [{ loc: ["body", "n"], msg: "Too many" }] }, { message: "n: Too many" }],
  ["a list", { success: false, errors: [{ code: 7003, message: "Overloaded" }] }, { message: "Overloaded" }],
  ["its own names", { error_code: 336003, error_msg: "Overloaded" }, { code: "336003", message: "Overloaded" }],
  [
    "a state",
    { choices: null, base_resp: { status_code: 1008, status_msg: "Overloaded" } },
    { code: "1008", message: "Overloaded" },
  ],
];

const user = [{ role: "user", content: "Hi" }];
const chat = readChat(JSON.stringify({ model: "m", messages: user, stream: true }));
const messages = readMessages(JSON.stringify({ model: "m", messages: user, max_tokens: 9, stream: true }));
const READERS: [string, () => StreamReader][] = [
  ["chat", () => new ChatStreamReader(false)],
  ["messages", () => new MessagesStreamReader()],
  ["responses", () => new NativeStreamReader()],
  ["chat, for a messages client", () => messagesToChat.openStream(messages)],
  ["messages, for a chat client", () => chatToMessages.openStream(chat)],
];

describe.each(SHAPES)("an error as %s is told in the supplier's words", (_name, wire, { message, code, status }) => {
  const failure = {
    message,
    protocol: false,
    ...(code === undefined ? {} : { code }),
    ...(status === undefined ? {} : { status }),
  };
  const json = JSON.stringify(wire);

  test.each(READERS)("as an event, and as no event: %s", (_wire, open) => {
    for (const text of [`data: ${json}\n\n`, json, `${json}\n\n`, `: hello\n\n${json}\n`]) {
      const reader = open();
      reader.push(Buffer.from(text));
      expect(reader.end()).toBe(false);
      expect(reader).toMatchObject({ state: "failed", failure });
    }
  });

  test.each([
    ["chat", readChatAnswer],
    ["messages", readMessagesAnswer],
  ])("as a whole answer: %s", (_wire, read) => {
    let told: SupplierFailure | null = null;
    try {
      read(Buffer.from(json));
    } catch (error) {
      told = error as SupplierFailure;
    }
    expect(told).toMatchObject({ message, isReported: true, executed: "yes", status: status ?? null });
  });
});

describe("what is no error passes", () => {
  const piece = { choices: [{ index: 0, delta: { content: "a" } }] };
  test.each<[string, object]>([
    ["an empty error", { ...piece, error: null }],
    ["a state that is well", { ...piece, base_resp: { status_code: 0, status_msg: "" } }],
    ["words beside an answer", { ...piece, message: "hello", code: 17 }],
    ["a sign of life with words", { message: "still thinking" }],
    ["one with a code that is well", { code: 200, message: "ok" }],
    ["a sign of life", { type: "ping" }],
    ["what was found in the prompt", { choices: [], prompt_filter_results: [{ prompt_index: 0 }] }],
  ])("%s", (_name, chunk) => {
    const reader = new ChatStreamReader(false);
    reader.push(Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`));
    expect(reader.state).toBe("open");
  });

  test.each([
    "data: ping\n\n",
    "data: : keep-alive\n\n",
    "data: [HEARTBEAT]\n\n",
    "event: ping\ndata: {}\n\n",
    'event: heartbeat\ndata: {"time":1}\n\n',
  ])("a sign of life as an event is not shown: %j", (text) => {
    const reader = new ChatStreamReader(false);
    expect(reader.push(Buffer.from(text))).toBeNull();
    expect(reader).toMatchObject({ state: "open", started: false });
  });

  test("an event with its prefix twice is the event", () => {
    const reader = new ChatStreamReader(false);
    const shown = reader.push(Buffer.from(`data: data: ${JSON.stringify(piece)}\n\ndata: data: [DONE]\n\n`));
    expect(shown?.toString()).toBe(`data: ${JSON.stringify(piece)}\n\n`);
    expect(reader.state).toBe("finished");
  });

  test.each(["[DONE]", " [DONE]", '"[DONE]"', "[DONE] "])("%j ends a stream", (data) => {
    const reader = new ChatStreamReader(false);
    reader.push(Buffer.from(`data: ${JSON.stringify(piece)}\n\ndata: ${data}\n\n`));
    expect(reader.state).toBe("finished");
  });
});
