import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { profileOf } from "~/domain/catalogue/profiles";
import { aRoute } from "~/domain/routing/__fixtures__/routes";
import type { ByteSink, ByteSource } from "../canonical/exchange";
import { SupplierFailure } from "../canonical/supplier-failure";
import { ChatStreamReader } from "../dialects/chat/stream";
import { answerMemory } from "../suppliers/toolkit/answer-memory";
import { type ClientSink, LiveStream } from "./live-stream";

class ScriptedSource implements ByteSource {
  sink!: ByteSink;
  aborted = 0;
  paused = false;
  start(sink: ByteSink): void {
    this.sink = sink;
  }
  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
  }
  abort(): void {
    this.aborted += 1;
  }
  say(chunk: object | string): void {
    this.sink.data(Buffer.from(`data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`));
  }
  word(content: string): void {
    this.say({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
  }
}

class Client implements ClientSink {
  text = "";
  room = true;
  drained: (() => void) | null = null;
  write(bytes: Buffer): boolean {
    this.text += bytes.toString();
    return this.room;
  }
  onDrain(listener: () => void): void {
    this.drained = listener;
  }
}

function aStream(silenceMs?: number) {
  const source = new ScriptedSource();
  return { source, client: new Client(), live: new LiveStream(source, new ChatStreamReader(false), silenceMs) };
}

const endsWith = (source: ScriptedSource, text: string) => {
  source.sink.data(Buffer.from(text));
  source.sink.end();
};

const reset = () => new SupplierFailure("reset", "the supplier's connection broke", { executed: "yes" });

describe("a supplier that says nothing but that it is alive", () => {
  const stillThere = (source: ScriptedSource) => source.sink.data(Buffer.from(": still there\n\n"));
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  test("before the first content gives way to another one after ten minutes", async () => {
    const { source, live } = aStream();
    vi.advanceTimersByTime(599_000);
    stillThere(source);
    source.say({ choices: [{ index: 0, delta: { role: "assistant" } }] });
    expect(source.aborted).toBe(0);
    vi.advanceTimersByTime(2_000);
    stillThere(source);
    await expect(live.opened).rejects.toMatchObject({ kind: "timeout" });
    expect(source.aborted).toBe(1);
  });

  test.each(["before", "behind"])(
    "may think for an hour %s its first content, where its model's profile says so",
    async (when) => {
      const { silence } = profileOf({ ...aRoute(), upstreamModel: "gpt-5-pro" });
      const { source, live, client } = aStream(silence.contentMs);
      if (when === "behind") source.word("one");
      for (let minute = 0; minute < 59; minute += 1) {
        vi.advanceTimersByTime(60_000);
        stillThere(source);
      }
      expect(source.aborted).toBe(0);
      source.word("two");
      await live.opened;
      live.connect(client);
      source.say("[DONE]");
      expect(await live.ended).toEqual({ kind: "complete" });
      expect(client.text).toContain("two");
    },
  );

  test("in the middle ends the stream after ten minutes", async () => {
    const { source, live, client } = aStream();
    vi.advanceTimersByTime(500_000);
    source.word("one");
    await live.opened;
    live.connect(client);
    vi.advanceTimersByTime(599_000);
    stillThere(source);
    source.word("two");
    vi.advanceTimersByTime(601_000);
    stillThere(source);
    expect(await live.ended).toMatchObject({ kind: "supplier_cut" });
  });
});

describe("before the first content", () => {
  test("an error event is a failure of a supplier that has begun to work", async () => {
    const { source, live } = aStream();
    source.say({ choices: [{ index: 0, delta: { role: "assistant" } }] });
    source.say({ error: { message: "overloaded" } });
    await expect(live.opened).rejects.toMatchObject({ kind: "protocol", executed: "yes", message: "overloaded" });
    expect(source.aborted).toBe(1);
  });

  test("a broken connection is the supplier's failure", async () => {
    const { source, live } = aStream();
    source.sink.fail(reset());
    await expect(live.opened).rejects.toMatchObject({ kind: "reset" });
  });

  test("a supplier that sends much in a shape that nobody knows is at work: it passes, and nobody else is asked", async () => {
    const { source, live, client } = aStream();
    const unknown = { id: "c", choices: [], progress: "x".repeat(1_000) };
    for (let i = 0; i < 300; i += 1) source.say(unknown);
    await live.opened;
    live.connect(client);
    source.word("one");
    source.say("[DONE]");
    expect(await live.ended).toEqual({ kind: "complete" });
    expect(client.text.match(/"progress"/g)).toHaveLength(300);
    expect(client.text).toContain("one");
  });

  test("a clean end without content is a failure too", async () => {
    const { source, live } = aStream();
    source.sink.end();
    await expect(live.opened).rejects.toBeInstanceOf(SupplierFailure);
  });
});

describe("after the first content", () => {
  test("the supplier waits until the client is connected; then all bytes come in order", async () => {
    const { source, live, client } = aStream();
    source.word("one");
    await live.opened;
    expect(source.paused).toBe(true);
    live.connect(client);
    expect(source.paused).toBe(false);
    source.word("two");
    source.say("[DONE]");
    expect(await live.ended).toEqual({ kind: "complete" });
    expect(client.text).toMatch(/one.*two/s);
    expect(client.text).not.toContain("[DONE]");
  });

  test.each([
    ["connected", true],
    ["not yet connected", false],
  ])("what the supplier leaves without its blank line reaches the client all the same: %s", async (_name, early) => {
    const { source, live, client } = aStream();
    source.word("one");
    await live.opened;
    if (early) live.connect(client);
    const last = { choices: [{ index: 0, delta: { content: "two" }, finish_reason: "stop" }] };
    source.sink.data(Buffer.from(`data: ${JSON.stringify(last)}`));
    source.sink.end();
    if (!early) live.connect(client);
    expect(await live.ended).toEqual({ kind: "complete" });
    expect(client.text).toMatch(/one.*two.*"stop".*\n\n$/s);
    expect(live.reader.outputText()).toBe("onetwo");
  });

  test.each([
    ["an error event", (s: ScriptedSource) => s.say({ error: { message: "broken", code: "x" } }), "supplier_error"],
    [
      "an error without its blank line",
      (s: ScriptedSource) => endsWith(s, 'data: {"error":{"message":"x"}}'),
      "supplier_error",
    ],
    ["an error as no event at all", (s: ScriptedSource) => endsWith(s, '{"error":{"message":"x"}}'), "supplier_error"],
    ["a reset", (s: ScriptedSource) => s.sink.fail(reset()), "supplier_cut"],
    ["an end without terminal event", (s: ScriptedSource) => s.sink.end(), "supplier_cut"],
  ])("%s ends the stream once", async (_name, happen, kind) => {
    const { source, live, client } = aStream();
    source.word("one");
    await live.opened;
    live.connect(client);
    happen(source);
    source.sink.end();
    live.abort();
    expect((await live.ended).kind).toBe(kind);
  });

  test("a client that leaves closes the supplier's connection at once", async () => {
    const { source, live, client } = aStream();
    source.word("one");
    await live.opened;
    live.connect(client);
    live.abort();
    expect(source.aborted).toBe(1);
    expect(await live.ended).toEqual({ kind: "client_gone" });
    source.word("late");
    expect(client.text).not.toContain("late");
  });

  test("a slow client stops the supplier, and its drain lets it go on", async () => {
    const { source, live, client } = aStream();
    source.word("one");
    await live.opened;
    client.room = false;
    live.connect(client);
    expect(source.paused).toBe(true);
    expect(live.stalledSince).not.toBeNull();
    client.room = true;
    client.drained?.();
    expect(source.paused).toBe(false);
    expect(live.stalledSince).toBeNull();
  });
});

describe("one long event", () => {
  const PICTURE = `data:image/png;base64,${"iVBORw0KGgoAAAAA".repeat(512 * 1024)}`;
  const event = (delta: object) => Buffer.from(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);

  test("of eight megabytes passes, as the first one and behind others, and nothing stays in memory", async () => {
    const picture = event({ images: [{ type: "image_url", image_url: { url: PICTURE } }] });
    const { source, live } = aStream();
    const client = new Client();
    for (const whole of [picture, event({ content: "Here." }), picture]) {
      for (let at = 0; at < whole.length; at += 65_536) source.sink.data(whole.subarray(at, at + 65_536));
      if (client.text !== "") continue;
      await live.opened;
      live.connect(client);
    }
    source.say({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
    source.say("[DONE]");
    expect(await live.ended).toEqual({ kind: "complete" });
    expect(client.text.length).toBeGreaterThan(2 * picture.length);
    expect([live.reader.pictures, live.reader.outputText()]).toEqual([2, "Here."]);
    expect(answerMemory.bytes).toBe(0);
  });

  test("whose connection breaks leaves nothing in memory either", async () => {
    const { source, live } = aStream();
    source.sink.data(Buffer.alloc(8 * 1024 * 1024, "x"));
    expect(answerMemory.bytes).toBeGreaterThan(0);
    source.sink.fail(reset());
    await expect(live.opened).rejects.toBeInstanceOf(SupplierFailure);
    expect(answerMemory.bytes).toBe(0);
  });
});
