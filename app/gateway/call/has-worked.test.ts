import { describe, expect, test } from "vitest";
import type { ByteSink, ByteSource } from "../canonical/exchange";
import { executedBy, SupplierFailure } from "../canonical/supplier-failure";
import { readChatAnswer } from "../dialects/chat/answer";
import { ChatStreamEncoder } from "../dialects/chat/encode-stream";
import { ChatStreamReader } from "../dialects/chat/stream";
import { cohere } from "../dialects/cohere";
import { converse } from "../dialects/converse";
import type { StreamReader } from "../dialects/dialect";
import { gemini } from "../dialects/gemini";
import { readMessagesAnswer } from "../dialects/messages/answer";
import { MessagesStreamReader } from "../dialects/messages/stream";
import { NativeStreamReader } from "../dialects/native/stream";
import { TranslatedStream } from "../dialects/translate/stream";
import { answerObject } from "../dialects/wire/events/whole-json";
import { ToolNames } from "../dialects/wire/identifiers";
import type { StreamDecoder } from "../dialects/wire/parts";
import { EventStreamSource } from "../suppliers/bedrock/event-stream";
import { readBedrockFailure } from "../suppliers/bedrock/failure";
import { readFailure } from "../suppliers/toolkit/read-failure";
import { isRetryable } from "./classify-failure";
import { LiveStream } from "./live-stream";

/** Per wire format: the first bytes without content, an error event, and the readers of both. */
type Wire = { name: string; begin: string; error: string; reader(): StreamReader; whole(body: Buffer): unknown };

const translated = (parts: StreamDecoder) =>
  new TranslatedStream(
    parts,
    new ChatStreamEncoder({
      ...{ names: new ToolNames([], 64), wantsUsage: false, createdSeconds: 0 },
      ...{ idOf: (id: string) => id, modelOf: (model: string) => model },
    }),
  );
const data = (wire: object, event = "") =>
  `${event === "" ? "" : `event: ${event}\n`}data: ${JSON.stringify(wire)}\n\n`;
const BUSY = { error: { code: "busy", type: "overloaded_error", message: "Overloaded" } };

const WIRES: readonly Wire[] = [
  {
    name: "chat",
    begin: data({ choices: [{ index: 0, delta: { role: "assistant", content: "" } }] }),
    error: data(BUSY),
    reader: () => new ChatStreamReader(false),
    whole: readChatAnswer,
  },
  {
    name: "messages",
    begin: data({ type: "message_start", message: { id: "m", usage: { input_tokens: 3 } } }, "message_start"),
    error: data({ type: "error", ...BUSY }, "error"),
    reader: () => new MessagesStreamReader(),
    whole: readMessagesAnswer,
  },
  {
    name: "responses",
    begin: data({ type: "response.created", response: { id: "r" } }, "response.created"),
    error: data({ type: "error", code: "busy", message: "Overloaded" }, "error"),
    reader: () => new NativeStreamReader(),
    whole: answerObject,
  },
  {
    name: "converse",
    begin: data({ role: "assistant" }, "messageStart"),
    error: data(BUSY, "error"),
    reader: () => translated(converse.openParts()),
    whole: converse.readWhole,
  },
  {
    name: "gemini",
    begin: data({ responseId: "g", usageMetadata: { promptTokenCount: 3 } }),
    error: data(BUSY),
    reader: () => translated(gemini.openParts()),
    whole: gemini.readWhole,
  },
  {
    name: "cohere",
    begin: data({ type: "message-start", id: "c" }),
    error: data({ message: "Overloaded" }),
    reader: () => translated(cohere.openParts()),
    whole: cohere.readWhole,
  },
];

class Source implements ByteSource {
  sink!: ByteSink;
  start(sink: ByteSink): void {
    this.sink = sink;
  }
  pause(): void {}
  resume(): void {}
  abort(): void {}
}

const broken = () => new SupplierFailure("reset", "cut", { executed: executedBy({ status: 200, isSent: true }) });
const ENDS: [string, (sink: ByteSink, wire: Wire) => void][] = [
  ["reports an error", (sink, { error }) => sink.data(Buffer.from(error))],
  ["breaks off", (sink) => sink.fail(broken())],
  ["ends", (sink) => sink.end()],
  ["sends nonsense", (sink) => sink.data(Buffer.from("data: {nonsense\n\n"))],
];

async function failureOf(wire: Wire, sent: string, end: (sink: ByteSink, wire: Wire) => void) {
  const source = new Source();
  const live = new LiveStream(source, wire.reader());
  if (sent !== "") source.sink.data(Buffer.from(sent));
  end(source.sink, wire);
  return live.opened.then(
    () => null,
    (failure: SupplierFailure) => failure,
  );
}

describe.each(WIRES)("a $name supplier that has begun to answer has worked", (wire) => {
  test.each(ENDS)(
    "also one that %s before its first content, and nobody else is asked unless that is safe",
    async (_how, end) => {
      for (const sent of ["", wire.begin, wire.begin.repeat(3)]) {
        const failure = await failureOf(wire, sent, end);
        expect(failure).toMatchObject({ executed: "yes" });
        expect(isRetryable(failure!, { retrySafe: false })).toBe(false);
        expect(isRetryable(failure!, { retrySafe: true })).toBe(true);
      }
    },
  );

  test("also one whose whole answer is an error", () => {
    const failure = caught(() => wire.whole(Buffer.from(JSON.stringify(BUSY))));
    expect(failure.executed).toBe("yes");
    expect(isRetryable(failure, { retrySafe: false })).toBe(false);
  });

  test("and of one whose whole answer is no answer nobody knows", () => {
    for (const body of ["<html>", "", "[]"])
      expect(caught(() => wire.whole(Buffer.from(body))).executed).toBe("unknown");
  });
});

function caught(act: () => unknown): SupplierFailure {
  try {
    act();
  } catch (error) {
    return error as SupplierFailure;
  }
  throw new Error("it did not fail");
}

test("a binary stream of events that is broken comes from a supplier that has worked", () => {
  const source = new Source();
  let failure: SupplierFailure | null = null;
  new EventStreamSource(source).start({ data: () => {}, end: () => {}, fail: (problem) => (failure = problem) });
  source.sink.data(Buffer.alloc(64, 255));
  expect(failure).toMatchObject({ executed: "yes" });
});

test.each([
  [null, false, "no"],
  [null, true, "unknown"],
  [200, true, "yes"],
  [429, true, "no"],
  [503, true, "no"],
  [499, true, "unknown"],
  [504, true, "unknown"],
  [524, true, "unknown"],
] as const)("an attempt with the status %s, sent: %s, was executed: %s", (status, isSent, executed) => {
  expect(executedBy({ status, isSent })).toBe(executed);
});

test.each([401, 429, 500, 503, 529])(
  "a refusal by %i lets another supplier be asked, whatever the request",
  (status) => {
    const failure = new SupplierFailure("status", "refused", {
      executed: executedBy({ status, isSent: true }),
      status,
    });
    expect(isRetryable(failure, { retrySafe: false })).toBe(true);
  },
);

test.each([499, 504, 524])("by %i something in front of a supplier gave up waiting: it may be at work", (status) => {
  const failure = readFailure({ status, headers: {}, body: Buffer.from("<html>") });
  expect(isRetryable(failure, { retrySafe: false })).toBe(false);
  expect(isRetryable(failure, { retrySafe: true })).toBe(status > 499);
});

test("so may a model of Bedrock whose supplier says that it took too long", () => {
  const headers = { "x-amzn-errortype": "ModelTimeoutException:http://internal.amazon.com" };
  const failure = readBedrockFailure({ status: 408, headers, body: Buffer.from('{"message":"too long"}') });
  expect(failure).toMatchObject({ executed: "unknown", status: 408 });
});

test("an answer that is too large is not asked for once more", () => {
  expect(isRetryable(new SupplierFailure("too_large", "large", { executed: "yes" }), { retrySafe: true })).toBe(false);
});
