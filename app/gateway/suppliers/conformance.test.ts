import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Route, SupplierKind } from "~/domain/catalogue/shared";
import { ACCESS_KEY, type BedrockStandIn, startBedrockStandIn } from "../../../tests/support/stand-in-bedrock";
import { type CohereStandIn, startCohereStandIn } from "../../../tests/support/stand-in-cohere";
import { type GoogleStandIn, startGoogleStandIn } from "../../../tests/support/stand-in-google";
import { type StandIn, startStandIn } from "../../../tests/support/stand-in-supplier";
import { asGuarded } from "../__fixtures__/guarded";
import type { DialectName, Outgoing, SupplierReply, WireName } from "../canonical/exchange";
import { SupplierFailure } from "../canonical/supplier-failure";
import { readChatAnswer } from "../dialects/chat/answer";
import { ChatStreamEncoder } from "../dialects/chat/encode-stream";
import { ChatStreamReader } from "../dialects/chat/stream";
import { cohere } from "../dialects/cohere";
import { converse } from "../dialects/converse";
import type { StreamReader, WholeAnswer } from "../dialects/dialect";
import { gemini } from "../dialects/gemini";
import { readMessagesAnswer } from "../dialects/messages/answer";
import { MessagesStreamReader } from "../dialects/messages/stream";
import { NativeStreamReader } from "../dialects/native/stream";
import { TranslatedStream } from "../dialects/translate/stream";
import { ToolNames } from "../dialects/wire/identifiers";
import type { SupplierFormat } from "../dialects/wire/supplier-format";
import { adapterOf } from "./registry";
import { closePools } from "./toolkit/connection/pools";

/** An adapter under test, and how to cause each situation with it. */
type Subject = {
  kind: SupplierKind;
  /** The client's dialect. */
  dialect: DialectName;
  /** The supplier's wire format, if no client uses it. */
  wire?: Exclude<WireName, DialectName>;
  apiKey?: string;
  model: string;
  fault(name: "429" | "500" | "cut" | "cut-before" | "timeout"): { model?: string; user?: string };
  /** Its answers are always streams. */
  alwaysStreams?: true;
  /** Its errors have a message but no code. */
  saysNoCode?: true;
};

const STAND_IN_FAULTS = {
  "429": "429:seconds",
  "500": "500",
  cut: "cut",
  "cut-before": "reset-before",
  timeout: "no-answer",
};

const SUBJECTS: readonly Subject[] = [
  { kind: "chat", dialect: "chat", model: "m", fault: (name) => ({ user: `fault=${STAND_IN_FAULTS[name]}` }) },
  { kind: "messages", dialect: "messages", model: "m", fault: (name) => ({ user: `fault=${STAND_IN_FAULTS[name]}` }) },
  { kind: "gateway", dialect: "chat", model: "m", fault: (name) => ({ user: `fault=${STAND_IN_FAULTS[name]}` }) },
  { kind: "aggregator", dialect: "chat", model: "m", fault: (name) => ({ user: `fault=${STAND_IN_FAULTS[name]}` }) },
  {
    kind: "bedrock",
    dialect: "messages",
    wire: "converse",
    apiKey: ACCESS_KEY,
    model: "anthropic.m-v1:0",
    fault: (name) => ({ user: `fault=${STAND_IN_FAULTS[name]}` }),
  },
  {
    kind: "bedrock",
    dialect: "chat",
    wire: "converse",
    model: "m",
    fault: (name) => ({ user: `fault=${STAND_IN_FAULTS[name]}` }),
  },
  {
    kind: "gemini",
    dialect: "chat",
    wire: "gemini",
    model: "m",
    fault: (name) => ({ model: `m-fault-${STAND_IN_FAULTS[name]}` }),
  },
  {
    kind: "cohere",
    dialect: "messages",
    wire: "cohere",
    model: "m",
    fault: (name) => ({ model: `m-fault-${STAND_IN_FAULTS[name]}` }),
    saysNoCode: true,
  },
  {
    kind: "vertex",
    dialect: "responses",
    wire: "gemini",
    apiKey: "the account",
    model: "m",
    fault: (name) => ({ model: `m-fault-${STAND_IN_FAULTS[name]}` }),
  },
  {
    kind: "native_agent",
    dialect: "native",
    model: "m",
    fault: (name) => ({ user: `fault=${STAND_IN_FAULTS[name]}` }),
    alwaysStreams: true,
  },
  {
    kind: "sandbox",
    dialect: "native",
    model: "sandbox-agent",
    fault: (name) => ({ model: `sandbox-fault-${name}` }),
    alwaysStreams: true,
  },
  { kind: "sandbox", dialect: "chat", model: "sandbox-chat", fault: (name) => ({ model: `sandbox-fault-${name}` }) },
];

/** Readers of each dialect's answers. */
const READERS: Partial<Record<WireName, { whole?(body: Buffer): WholeAnswer; stream(): StreamReader }>> = {
  chat: { whole: readChatAnswer, stream: () => new ChatStreamReader(true) },
  messages: { whole: readMessagesAnswer, stream: () => new MessagesStreamReader() },
  native: { stream: () => new NativeStreamReader() },
  converse: readersOf(converse),
  gemini: readersOf(gemini),
  cohere: readersOf(cohere),
};

function readersOf(format: SupplierFormat) {
  const frame = {
    wantsUsage: true,
    createdSeconds: 0,
    idOf: () => "a",
    modelOf: () => "m",
    names: new ToolNames([], 64),
  };
  return {
    whole(body: Buffer): WholeAnswer {
      const { usage, parts } = format.readWhole(body);
      return { body, usage, outputText: () => JSON.stringify(parts) };
    },
    stream: () => new TranslatedStream(format.openParts(), new ChatStreamEncoder(frame)),
  };
}

const TURN = { role: "user", content: "Write 30 words about the sea." };
const CHAT_ASK = { messages: [TURN], max_tokens: 30 };
const CONVERSE_ASK = {
  messages: [{ role: "user", content: [{ text: TURN.content }] }],
  inferenceConfig: { maxTokens: 30 },
};
const GEMINI_ASK = {
  contents: [{ role: "user", parts: [{ text: TURN.content }] }],
  generationConfig: { maxOutputTokens: 30 },
};
const NATIVE_ASK = { input: [TURN], max_output_tokens: 30 };

let standIn: StandIn;
let bedrock: BedrockStandIn;
let google: GoogleStandIn;
let cohereStandIn: CohereStandIn;
beforeAll(async () => {
  standIn = await startStandIn();
  bedrock = await startBedrockStandIn(standIn.url);
  google = await startGoogleStandIn(standIn.url);
  cohereStandIn = await startCohereStandIn(standIn.url);
});
afterAll(async () => {
  await closePools();
  await bedrock.close();
  await google.close();
  await cohereStandIn.close();
  await standIn.close();
});

describe.concurrent.each(SUBJECTS)("the $kind adapter in $dialect", (subject) => {
  const { kind, dialect, model, fault, alwaysStreams = false, wire = dialect, apiKey = "sk-supplier" } = subject;
  const route = (upstreamModel: string): Route => ({
    routeId: 1,
    model: { id: "m", ownedBy: "test", capability: "chat", contextTokens: 8_000, maxOutputTokens: 4_000 },
    supplier: {
      id: 1,
      name: "subject",
      kind,
      baseUrl: urlOf(kind),
      region: "eu",
      timeoutMs: 1_500,
      idleTimeoutMs: 1_500,
      cooldown: true,
      streamUsage: true,
      draining: false,
      credentials: [{ name: "main", apiKey: kind === "vertex" ? google.serviceAccount : apiKey }],
    },
    upstreamModel,
    priority: 1,
    weight: 1,
    price: null,
  });

  const send = (stream: boolean, how: { model?: string; user?: string } = {}) => {
    const given = route(how.model ?? model);
    const own = how.user === undefined ? {} : { user: how.user, metadata: { user_id: how.user } };
    const bodies: Partial<Record<WireName, object>> = {
      converse: { ...CONVERSE_ASK, ...(how.user === undefined ? {} : { requestMetadata: { user: how.user } }) },
      gemini: GEMINI_ASK,
      cohere: { model: given.upstreamModel, stream, ...CHAT_ASK },
    };
    const body = bodies[wire] ?? {
      model: given.upstreamModel,
      ...(dialect === "native" ? NATIVE_ASK : CHAT_ASK),
      ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
      ...own,
    };
    const outgoing: Outgoing = {
      callId: crypto.randomUUID(),
      route: given,
      credential: given.supplier.credentials[0] ?? null,
      dialect: wire,
      stream,
      body: asGuarded(JSON.stringify(body)),
      headers: {},
    };
    return { exchange: adapterOf(given.supplier)!.send(outgoing), callId: outgoing.callId };
  };

  test("speaks what its bytes are", () => {
    expect(adapterOf(route(model).supplier)!.speaks(dialect, route(model))).toBe(wire);
    expect(adapterOf(route(model).supplier)!.kind).toBe(kind);
  });

  test.skipIf(alwaysStreams)("brings a whole answer that the dialect understands, with usage", async () => {
    const reply = await send(false).exchange.reply;
    if (reply.kind !== "whole") throw new Error("not a whole answer");
    expect(reply.status).toBe(200);
    const answer = READERS[wire]!.whole!(reply.body);
    expect(answer.outputText()).not.toBe("");
    expect(answer.usage!.outputTokens).toBeGreaterThan(0);
    expect(answer.usage!.outputTokens).toBeLessThanOrEqual(30);
  });

  test("brings a stream, nothing of it before it is started, complete and with usage", async () => {
    const reply = await send(true).exchange.reply;
    await pause(50);
    const { reader, end } = await read(wire, reply);
    expect(end).toBe("end");
    expect(reader.state).toBe("finished");
    expect(reader.usage!.outputTokens).toBeGreaterThan(0);
    expect(reader.outputText()).not.toBe("");
  });

  test.each([
    ["429", 429],
    ["500", 500],
  ] as const)("turns a %s into a failure that says that nothing was done", async (name, status) => {
    for (const stream of [false, true]) {
      const failure = await failureOf(send(stream, fault(name)).exchange.reply);
      expect(failure).toMatchObject({ kind: "status", status, executed: "no" });
      if (subject.saysNoCode) expect([failure.supplierCode, failure.isReported]).toEqual([null, true]);
      else
        expect(failure.supplierCode).toMatch(
          /rate_limit_exceeded|server_error|ThrottlingException|InternalServerException|RESOURCE_EXHAUSTED|INTERNAL/,
        );
      if (status === 429) expect(failure.retryAfterSeconds).toBeGreaterThan(0);
    }
  });

  test("fails the source, once and last, when the connection breaks in mid-stream", async () => {
    const { reader, end } = await read(wire, await send(true, fault("cut")).exchange.reply);
    expect(end).toMatchObject({ kind: "reset", executed: "yes" });
    expect(reader.state).toBe("open");
    expect(reader.started).toBe(true);
  });

  test("says that the outcome is unknown when the connection breaks, or nothing comes, before an answer", async () => {
    const broken = await failureOf(send(false, fault("cut-before")).exchange.reply);
    expect(broken).toMatchObject({ kind: "reset", executed: "unknown", status: null });
    const late = await failureOf(send(false, fault("timeout")).exchange.reply);
    expect(late).toMatchObject({ kind: "timeout", executed: "unknown" });
  }, 10_000);

  test("rejects as given up when it is aborted before its answer", async () => {
    const { exchange } = send(false, fault("timeout"));
    setTimeout(() => exchange.abort(), 30);
    expect(await failureOf(exchange.reply)).toMatchObject({ kind: "aborted" });
  });

  test("ends with a failure when its stream is aborted, and brings nothing more", async () => {
    const { exchange } = send(true);
    const reply = await exchange.reply;
    if (reply.kind !== "stream") throw new Error("not a stream");
    let chunks = 0;
    const ended = new Promise<unknown>((resolve) => {
      reply.source.start({
        data: () => {
          chunks += 1;
          if (chunks === 1) reply.source.abort();
        },
        end: () => resolve("end"),
        fail: resolve,
      });
    });
    expect(await ended).toMatchObject({ kind: "aborted" });
    const seen = chunks;
    await pause(50);
    expect(chunks).toBe(seen);
  });

  test("never throws and may be aborted after the end", async () => {
    const { exchange } = send(false);
    await exchange.reply;
    exchange.abort();
  });
});

test("a supplier gets its own credential and the call's id", async () => {
  const { requests } = await standIn.seen();
  expect(requests.length).toBeGreaterThan(5);
  for (const { headers, id } of requests) {
    expect(headers.authorization ?? headers["x-api-key"]).toMatch(/^(Bearer )?sk-supplier$/);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
  }
});

async function failureOf(reply: Promise<SupplierReply>): Promise<SupplierFailure> {
  const problem = await reply.then(
    () => new Error("it did not fail"),
    (failure: unknown) => failure,
  );
  expect(problem).toBeInstanceOf(SupplierFailure);
  return problem as SupplierFailure;
}

async function read(
  wire: WireName,
  reply: SupplierReply,
): Promise<{ reader: StreamReader; end: "end" | SupplierFailure }> {
  if (reply.kind !== "stream") throw new Error("not a stream");
  const reader = READERS[wire]!.stream();
  return new Promise((resolve) => {
    reply.source.start({
      data: (chunk) => void reader.push(chunk),
      end: () => resolve({ reader, end: "end" }),
      fail: (failure) => resolve({ reader, end: failure }),
    });
  });
}

function urlOf(kind: SupplierKind): string {
  if (kind === "bedrock") return bedrock.url;
  if (kind === "cohere") return cohereStandIn.url;
  if (kind === "gemini") return google.geminiUrl;
  return kind === "vertex" ? google.vertexUrl : standIn.url;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
