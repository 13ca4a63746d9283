import { describe, expect, test } from "vitest";
import type { Route } from "~/domain/catalogue/shared";
import { asGuarded } from "../../__fixtures__/guarded";
import type { BodySource, DialectName } from "../../canonical/exchange";
import { sandbox } from ".";

const route = (upstreamModel: string): Route => ({
  routeId: 1,
  model: { id: upstreamModel, ownedBy: "sandbox", capability: "chat", contextTokens: 8_000, maxOutputTokens: 4_000 },
  supplier: {
    id: 1,
    name: "sandbox",
    kind: "sandbox",
    baseUrl: "",
    region: "eu",
    timeoutMs: 40,
    idleTimeoutMs: 1_000,
    cooldown: false,
    streamUsage: true,
    draining: false,
    credentials: [],
  },
  upstreamModel,
  priority: 1,
  weight: 1,
  price: null,
});

async function inference(
  dialect: DialectName,
  body: object | BodySource,
  stream = false,
  model = "sandbox-any",
): Promise<Buffer> {
  const reply = await sandbox.send({
    callId: "01900000-0000-7000-8000-000000000000",
    route: route(model),
    credential: null,
    dialect,
    stream,
    body: asGuarded("open" in body ? body : JSON.stringify(body)),
    headers: {},
  }).reply;
  if (reply.kind === "whole") return reply.body;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const end = () => resolve(Buffer.concat(chunks));
    reply.source.start({ data: (chunk) => void chunks.push(chunk), end, fail: reject });
  });
}

const json = async (...given: Parameters<typeof inference>) => JSON.parse((await inference(...given)).toString());
const eventsOf = async (...given: Parameters<typeof inference>) =>
  (await inference(...given))
    .toString()
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => {
      const [name, data] = event.split("\n");
      return { name: name!.slice(7), data: JSON.parse(data!.slice(6)) };
    });

describe("messages", () => {
  const hello = { max_tokens: 100, messages: [{ role: "user", content: [{ type: "text", text: "Good day" }] }] };
  const tools = [{ name: "get_weather", input_schema: { type: "object", properties: { city: { type: "string" } } } }];

  test("whole: text, stop reason, usage without the cached part", async () => {
    const answer = await json("messages", { ...hello, system: [{ type: "text", text: "Be kind", cache_control: {} }] });
    expect(answer).toMatchObject({ type: "message", role: "assistant", stop_reason: "end_turn" });
    expect(answer.content[0].text).toContain("Good day");
    expect(answer.usage.cache_read_input_tokens).toBe(2);
    expect((await json("messages", { ...hello, max_tokens: 3 })).stop_reason).toBe("max_tokens");
    const stopped = await json("messages", { ...hello, stop_sequences: ["day"] });
    expect(stopped).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "day" });
  });

  test("streamed: every block opened, grown and closed, and the same text", async () => {
    const whole = await json("messages", { ...hello, thinking: { type: "enabled", budget_tokens: 1_024 } });
    const events = await eventsOf("messages", { ...hello, thinking: { type: "enabled", budget_tokens: 1_024 } }, true);
    expect(events.every(({ name, data }) => name === data.type)).toBe(true);
    expect(events[0]!.name).toBe("message_start");
    expect(events.at(-1)!.name).toBe("message_stop");
    expect(events.at(-2)!.data).toMatchObject({ delta: { stop_reason: "end_turn" }, usage: whole.usage });
    const text = events.map(({ data }) => data.delta?.text ?? "").join("");
    expect(text).toBe(whole.content[1].text);
  });

  test("tools: a call, then an answer to its result", async () => {
    const called = await json("messages", {
      ...hello,
      tools,
      messages: [{ role: "user", content: "Weather in Rome?" }],
    });
    expect(called.stop_reason).toBe("tool_use");
    expect(called.content[0]).toMatchObject({ type: "tool_use", name: "get_weather", input: { city: "Rome" } });
    const result = {
      type: "tool_result",
      tool_use_id: called.content[0].id,
      content: [{ type: "text", text: "sunny" }],
    };
    const after = await json("messages", {
      ...hello,
      tools,
      messages: [...hello.messages, { role: "user", content: [result] }],
    });
    expect(after.content[0].text).toBe("The tool answered “sunny”.");
    const events = await eventsOf(
      "messages",
      { ...hello, tools, tool_choice: { type: "tool", name: "get_weather" } },
      true,
    );
    const input = events.map(({ data }) => data.delta?.partial_json ?? "").join("");
    expect(JSON.parse(input)).toEqual({ city: "Good day" });
  });

  test("conversations are not kept, and the messages SDK is told so in its own words", async () => {
    await expect(inference("messages", { ...hello, thread: { type: "create" } })).rejects.toMatchObject({
      status: 400,
      supplierDetails: { error_code: "thread_unsupported_request" },
    });
  });

  test("faults speak the dialect", async () => {
    const events = await eventsOf("messages", hello, true, "sandbox-fault-error-event");
    expect(events).toMatchObject([{ name: "error", data: { type: "error", error: { type: "overloaded_error" } } }]);
  });
});

describe("native", () => {
  test("streams events that end with the whole response", async () => {
    const input = [{ type: "message", role: "user", content: [{ type: "input_text", text: "Good day" }] }];
    const events = await eventsOf("native", { input, stream: true }, true);
    expect(events.every(({ name, data }) => name === data.type)).toBe(true);
    const { response } = events.at(-1)!.data;
    expect(events.at(-1)!.name).toBe("response.completed");
    expect(response.output[0].content[0].text).toContain("Good day");
    expect(response.usage.total_tokens).toBe(response.usage.input_tokens + response.usage.output_tokens);
    const deltas = events.map(({ data }) => data.delta ?? "").join("");
    expect(deltas).toBe(response.output[0].content[0].text);
  });

  test("calls a function and answers its output", async () => {
    const tools = [
      { type: "function", name: "shell", parameters: { type: "object", properties: { command: { type: "string" } } } },
    ];
    const input: object[] = [{ role: "user", content: "List files with shell" }];
    const events = await eventsOf("native", { input, tools }, true);
    const call = events.at(-1)!.data.response.output[0];
    expect(call).toMatchObject({ type: "function_call", name: "shell" });
    const after = [...input, call, { type: "function_call_output", call_id: call.call_id, output: "a.txt" }];
    const answer = await json("native", { input: after, tools });
    expect(answer.output[0].content[0].text).toBe("The tool answered “a.txt”.");
  });
});

describe("embeddings", () => {
  const cosine = (a: number[], b: number[]) => a.reduce((sum, value, index) => sum + value * b[index]!, 0);

  test("have length one, are the same for the same text, and are close for related texts", async () => {
    const input = ["The cat sat on the mat", "A cat was sitting on a mat", "Quarterly revenue grew strongly"];
    const { data, usage } = await json("embeddings", { input });
    const [first, second, third] = data.map(({ embedding }: { embedding: number[] }) => embedding);
    expect(Math.hypot(...first)).toBeCloseTo(1, 5);
    expect(cosine(first, second)).toBeGreaterThan(cosine(first, third) + 0.2);
    expect(usage.prompt_tokens).toBe(usage.total_tokens);
    expect((await json("embeddings", { input: input[0] })).data[0].embedding).toEqual(first);
  });

  test("in more dimensions than there are, are refused and not cut short", async () => {
    const longest = (await json("embeddings", { input: "Hello", dimensions: 4_096 })).data[0].embedding;
    expect(longest).toHaveLength(4_096);
    await expect(inference("embeddings", { input: "Hello", dimensions: 4_097 })).rejects.toMatchObject({ status: 400 });
  });

  test("come in base64 and in as many dimensions as asked for", async () => {
    const floats = (await json("embeddings", { input: "Hello", dimensions: 8 })).data[0].embedding;
    const base64 = (await json("embeddings", { input: "Hello", dimensions: 8, encoding_format: "base64" })).data[0]
      .embedding;
    const bytes = Buffer.from(base64, "base64");
    expect(Array.from({ length: 8 }, (_, index) => bytes.readFloatLE(index * 4))).toEqual(floats);
    expect((await json("embeddings", { input: [[1, 2], [3]] })).usage.prompt_tokens).toBe(3);
  });
});

test("rerank puts the documents that share the query's rarer words first", async () => {
  const documents = ["Bananas are yellow", "Capital cities are large", "Paris is the capital of France", ""];
  const answer = await json("rerank", {
    query: "What is the capital of France?",
    documents,
    top_n: 3,
    return_documents: true,
  });
  expect(answer.results.map(({ index }: { index: number }) => index)).toEqual([2, 1, 0]);
  expect(answer.results[0].relevance_score).toBeGreaterThan(answer.results[1].relevance_score);
  expect(answer.results[0].document.text).toBe(documents[2]);
  expect(
    answer.results.every(({ relevance_score: score }: { relevance_score: number }) => score >= 0 && score <= 1),
  ).toBe(true);
});

describe("speech and transcription", () => {
  const form = (file: Buffer, fields: Record<string, string> = {}): BodySource => {
    const parts = Object.entries(fields).map(
      ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const head = `${parts.join("")}--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: audio/wav\r\n\r\n`;
    const bytes = Buffer.concat([Buffer.from(head), file, Buffer.from("\r\n--b--\r\n")]);
    return {
      contentType: "multipart/form-data; boundary=b",
      contentLength: bytes.length,
      async *open() {
        yield bytes.subarray(0, 20);
        yield bytes.subarray(20);
      },
    };
  };

  test("a WAV file is as long as its text and its speed say, and is heard again word for word", async () => {
    const input = "Hello world. Grüße aus Köln!";
    const wav = await inference("speech", { input, response_format: "wav" });
    expect(wav.toString("latin1", 0, 4)).toBe("RIFF");
    expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
    const samples = wav.readUInt32LE(40) / 2;
    expect(samples / 16_000).toBeGreaterThan(1);
    expect(Math.max(...Array.from({ length: 4_000 }, (_, index) => wav.readInt16LE(44 + index * 2)))).toBeGreaterThan(
      8_000,
    );
    const fast = await inference("speech", { input, response_format: "wav", speed: 2 });
    expect(fast.readUInt32LE(40) / 2 / samples).toBeCloseTo(0.5, 2);
    expect(await json("transcription", form(wav))).toMatchObject({ text: input });
  });

  test("an MP3 file is a row of whole frames, and is heard again word for word", async () => {
    const input = "Hello world, hello MP3.";
    const mp3 = await inference("speech", { input });
    const audio = mp3.subarray(mp3.indexOf(Buffer.from([0xff, 0xf3])));
    expect(audio.length % 144).toBe(0);
    for (let at = 0; at < audio.length; at += 144) expect(audio.readUInt32BE(at)).toBe(0xfff348c4);
    const heard = await json("transcription", form(mp3, { response_format: "verbose_json", language: "de" }));
    expect(heard).toMatchObject({ text: input, language: "de" });
    expect(heard.duration).toBeCloseTo((audio.length / 144) * 0.036, 1);
  });

  test("every format of an answer is what it is called", async () => {
    const input = "Hello world, hello subtitles.";
    const wav = await inference("speech", { input, response_format: "wav" });
    const seconds = Math.round((wav.readUInt32LE(40) / 32_000) * 100) / 100;
    const end = `00:00:0${seconds.toFixed(3)}`;
    const plain = async (response_format: string) =>
      (await inference("transcription", form(wav, { response_format }))).toString();
    expect(await plain("srt")).toBe(`1\n00:00:00,000 --> ${end.replace(".", ",")}\n${input}\n\n`);
    expect(await plain("vtt")).toBe(`WEBVTT\n\n00:00:00.000 --> ${end}\n${input}\n\n`);
    expect(await json("transcription", form(wav, { response_format: "diarized_json" }))).toMatchObject({
      ...{ task: "transcribe", text: input, duration: seconds },
      segments: [{ type: "transcript.text.segment", start: 0, end: seconds, text: input, speaker: "A" }],
    });
  });

  test("a long file is heard again word for word, though only its beginning and its end are kept", async () => {
    const input = "a word or two ".repeat(250);
    for (const response_format of ["wav", "mp3"]) {
      const file = await inference("speech", { input, response_format, speed: 0.25 });
      const heard = await json("transcription", form(file, { response_format: "verbose_json" }));
      expect(heard.text).toBe(input);
      if (response_format !== "wav") continue;
      expect(file.length).toBeGreaterThan(2_000_000);
      expect(heard.duration).toBeCloseTo(file.readUInt32LE(40) / 32_000, 1);
    }
  });

  test("any other sound always gets the same words, and a text answer is a text", async () => {
    const noise = Buffer.from("not a real sound ".repeat(10_000));
    const first = await json("transcription", form(noise));
    expect(first.text.split(" ").length).toBeGreaterThan(3);
    expect(await json("transcription", form(noise))).toEqual(first);
    expect((await inference("transcription", form(noise, { response_format: "text" }))).toString()).toBe(
      `${first.text}\n`,
    );
  });
});

describe("a body that no supplier would take is the client's mistake", () => {
  const chat = { messages: [{ role: "user", content: "Hello" }] };
  const agent = { input: "Hello" };
  const cases: [DialectName, object][] = [
    ["chat", { ...chat, stop: 5 }],
    ["chat", { ...chat, stop: {} }],
    ["chat", { ...chat, tools: true }],
    ["chat", { ...chat, tools: {} }],
    ["messages", { ...chat, stop_sequences: 5 }],
    ["messages", { ...chat, stop_sequences: {} }],
    ["messages", { ...chat, tools: [null] }],
    ["native", { ...agent, tools: 5 }],
    ["native", { ...agent, tools: "x" }],
    ["native", { ...agent, tools: [null] }],
  ];
  test.each(cases)("%s %o", async (dialect, body) => {
    await expect(inference(dialect, body)).rejects.toMatchObject({ status: 400 });
  });
});
