import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { chatViolations, messagesViolations } from "../../../tests/support/stream-grammar";
import { LiveStream } from "../call/live-stream";
import type { ByteSink, ByteSource } from "../canonical/exchange";
import { chatDialect } from "../dialects/chat";
import { ChatStreamReader } from "../dialects/chat/stream";
import type { StreamReader } from "../dialects/dialect";
import { messagesDialect } from "../dialects/messages";
import { MessagesStreamReader } from "../dialects/messages/stream";
import { COMMENT, openStreams } from "./open-streams";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Opens a stream with its first events, a supplier controlled by the test, and a client that may stop reading. */
function opened(reader: StreamReader, beat: Buffer | null, first: readonly object[], room = true) {
  let sink!: ByteSink;
  const source: ByteSource = {
    start: (given) => {
      sink = given;
    },
    pause: () => undefined,
    resume: () => undefined,
    abort: () => undefined,
  };
  const live = new LiveStream(source, reader);
  const client = { text: "", room };
  const end = {
    sink: {
      write: (bytes: Buffer) => {
        client.text += bytes.toString();
        return client.room;
      },
      onDrain: () => undefined,
    },
    end: () => undefined,
    destroy: () => undefined,
    response: new Response(),
  };
  const say = (...events: object[]) => {
    for (const event of events) sink.data(Buffer.from(framed(event)));
  };
  say(...first);
  openStreams.add(live, { client: end, beat });
  live.connect(end.sink);
  return { live, client, say };
}

const framed = (event: object) =>
  `${"type" in event ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`;

const word = (content: string, finish_reason: string | null = null) => ({
  ...{ id: "c1", object: "chat.completion.chunk", created: 1, model: "m" },
  choices: [{ index: 0, delta: { content }, finish_reason }],
});
const started = [
  {
    type: "message_start",
    message: {
      ...{ id: "m1", type: "message", role: "assistant", model: "m", content: [], stop_reason: null },
      usage: { input_tokens: 1, output_tokens: 0 },
    },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a" } },
];

describe("a silent supplier", () => {
  test("a chat client gets a comment line every 15 seconds, and its stream stays right", () => {
    const { live, client, say } = opened(new ChatStreamReader(false), COMMENT, [word("a")]);
    vi.advanceTimersByTime(50_000);
    expect(client.text.split(": keep-alive\n\n")).toHaveLength(4);
    say(word("b", "stop"));
    expect(chatViolations(`${client.text}data: [DONE]\n\n`)).toEqual([]);
    openStreams.delete(live);
  });

  test("a messages client gets a ping, which its own dialect has for that", () => {
    expect(chatDialect.heartbeat).toBeUndefined();
    const { live, client, say } = opened(new MessagesStreamReader(), messagesDialect.heartbeat!, started);
    vi.advanceTimersByTime(50_000);
    expect(client.text.split('event: ping\ndata: {"type":"ping"}\n\n')).toHaveLength(4);
    const rest = [
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
    ];
    say(...rest);
    expect(messagesViolations(client.text + framed({ type: "message_stop" }))).toEqual([]);
    openStreams.delete(live);
  });

  test("a stream that is no events gets nothing, and neither does one that goes on", () => {
    const sound = opened(new ChatStreamReader(false), null, [word("a")]);
    const busy = opened(new ChatStreamReader(false), COMMENT, [word("a")]);
    for (let second = 0; second < 50; second += 10) {
      busy.say(word("a"));
      vi.advanceTimersByTime(10_000);
    }
    expect(sound.client.text + busy.client.text).not.toContain("keep-alive");
    openStreams.delete(sound.live);
    openStreams.delete(busy.live);
  });
});

test("a client that takes nothing for a minute is given up, and gets no heartbeats meanwhile", async () => {
  const { live, client } = opened(new ChatStreamReader(false), COMMENT, [word("a")], false);
  vi.advanceTimersByTime(55_000);
  expect(client.text).not.toContain("keep-alive");
  vi.advanceTimersByTime(15_000);
  expect(await live.ended).toEqual({ kind: "client_gone" });
  openStreams.delete(live);
});

describe("a wall clock that is set while streams are in flight", () => {
  test("forward, gives up no client that waits for a moment", async () => {
    const { live } = opened(new ChatStreamReader(false), COMMENT, [word("a")], false);
    let over = false;
    void live.ended.then(() => (over = true));
    vi.setSystemTime(Date.now() + 3_600_000);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(over).toBe(false);
    openStreams.delete(live);
  });

  test("back, silences no heartbeat and keeps no client that takes nothing", async () => {
    const silent = opened(new ChatStreamReader(false), COMMENT, [word("a")]);
    const stalled = opened(new ChatStreamReader(false), COMMENT, [word("a")], false);
    vi.setSystemTime(Date.now() - 3_600_000);
    await vi.advanceTimersByTimeAsync(70_000);
    expect(silent.client.text).toContain("keep-alive");
    expect(await stalled.live.ended).toEqual({ kind: "client_gone" });
    openStreams.delete(silent.live);
    openStreams.delete(stalled.live);
  });
});
