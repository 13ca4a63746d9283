import { describe, expect, test } from "vitest";
import { readRules, readyRules, TextScan } from "~/domain/guardrails/index.server";
import { aRoute } from "~/domain/routing/__fixtures__/routes";
import { chatDialect } from "../dialects/chat";
import type { Dialect, StreamReader } from "../dialects/dialect";
import { messagesDialect } from "../dialects/messages";
import { responsesDialect } from "../dialects/responses";
import { translatorFor } from "../dialects/translators";
import { GuardedStream } from "./guarded-stream";

const common = { on: "output", name: "rule" };
const { output: RULES } = await readyRules({
  organisation: readRules([
    { ...common, id: "000000000001", action: "redact", kind: "words", words: ["secret", "blue fox", "机密"] },
    { ...common, id: "000000000002", action: "redact", kind: "pattern", pattern: String.raw`\bTCK-\d+\b` },
    { ...common, id: "000000000003", action: "redact", kind: "personal", data: ["email", "card"] },
    { ...common, id: "000000000004", action: "flag", kind: "words", words: ["plan"] },
  ]),
  key: readRules([{ ...common, id: "000000000005", action: "refuse", kind: "words", words: ["forbidden"] }]),
});

function redacted(text: string): string {
  const scan = new TextScan(RULES);
  return scan.push(text) + scan.end();
}

function randomOf(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
}
type Random = ReturnType<typeof randomOf>;

const PHRASES = [
  "a secret plan",
  "TCK-12345",
  "ada@example.com",
  "the blue\n fox",
  "4111 1111 1111 1111",
  "这是机密文件",
  "é",
  "x",
];
const some = (random: Random, count: number) =>
  Array.from({ length: count }, () => PHRASES[random(PHRASES.length)]).join(" ");
function cut<Whole extends string | Buffer>(whole: Whole, random: Random, most: number): Whole[] {
  const pieces: Whole[] = [];
  for (let at = 0; at < whole.length; ) {
    const size = 1 + random(most);
    pieces.push(whole.slice(at, at + size) as Whole);
    at += size;
  }
  return pieces;
}

/** Returns what the client sees of a supplier's events, split into random pieces. */
function shown(reader: StreamReader, dialect: Dialect, events: string, random: Random) {
  const guarded = new GuardedStream(reader, RULES, dialect);
  const out: Buffer[] = [];
  for (const chunk of cut(Buffer.from(events), random, [5, 80, 4_000][random(3)]!)) {
    const bytes = guarded.push(chunk);
    if (bytes !== null) out.push(bytes);
    if (guarded.rejection !== null) break;
  }
  if (guarded.state === "finished") out.push(guarded.terminal);
  const wires = Buffer.concat(out)
    .toString("utf8")
    .split("\n\n")
    .flatMap((event) => /^data: (\{.*)$/m.exec(event)?.[1] ?? [])
    // biome-ignore lint/suspicious/noExplicitAny: events of three dialects
    .map((data): any => JSON.parse(data));
  return { guarded, wires };
}

const event = (data: object, name = "") => `${name && `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
const chunkOf = (delta: object, index = 0, finish: string | null = null) =>
  event({ id: "c", object: "chat.completion.chunk", model: "m", choices: [{ index, delta, finish_reason: finish }] });
const DONE = "data: [DONE]\n\n";

/** A chat stream in which two choices and the arguments of two tool calls grow alternately. */
function chatEvents(texts: { said: string; other: string; first: string; second: string }, random: Random): string {
  const queues = [
    cut(texts.said, random, 9).map((content) => chunkOf({ content })),
    cut(texts.other, random, 9).map((content) => chunkOf({ content }, 1)),
    cut(texts.first, random, 9).map((text) => chunkOf({ tool_calls: [{ index: 0, function: { arguments: text } }] })),
    cut(texts.second, random, 9).map((text) => chunkOf({ tool_calls: [{ index: 1, function: { arguments: text } }] })),
  ];
  let out = chunkOf({ role: "assistant", content: "" });
  while (queues.some(({ length }) => length > 0)) out += queues[random(queues.length)]!.shift() ?? "";
  // One choice ends in the event of its last text, the other in the next event.
  return `${out}${chunkOf({ content: " secret" }, 0, "stop")}${chunkOf({}, 1, "stop")}${DONE}`;
}

const joined = (texts: unknown[]): string => texts.map((text) => text ?? "").join("");

describe("a guarded stream", () => {
  test("of chat shows each text of each choice as it is redacted whole", () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = randomOf(seed);
      const [said, other] = [some(random, 8), some(random, 4)];
      const [first, second] = [JSON.stringify({ to: some(random, 3) }), JSON.stringify({ to: some(random, 3) })];
      const reader = translatorFor("chat", "chat")!.openStream(
        chatDialect.read('{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true}'),
      );
      const { wires, guarded } = shown(reader, chatDialect, chatEvents({ said, other, first, second }, random), random);
      const deltas = (index: number) =>
        wires
          .flatMap(({ choices }) => choices)
          .filter((choice) => choice.index === index)
          .map(({ delta }) => delta);
      const argumentsOf = (call: number) =>
        joined(
          deltas(0)
            .flatMap((delta) => (delta.tool_calls ?? []).filter((one: { index: number }) => one.index === call))
            .map((one) => one.function.arguments),
        );
      expect(joined(deltas(0).map(({ content }) => content)), `seed ${seed}`).toBe(redacted(`${said} secret`));
      expect(joined(deltas(1).map(({ content }) => content))).toBe(redacted(other));
      expect([argumentsOf(0), argumentsOf(1)]).toEqual([redacted(first), redacted(second)]);
      const finishes = wires.flatMap(({ choices }) => choices).filter((choice) => choice.finish_reason !== null);
      expect(finishes).toHaveLength(2);
      expect(wires.flatMap(({ choices }) => choices).findLast((choice) => choice.index === 0).finish_reason).toBe(
        "stop",
      );
      const plans = `${said} ${other} ${first} ${second}`.split("plan").length - 1;
      expect(guarded.hits.find(({ action }) => action === "flag")?.count ?? 0).toBe(plans);
    }
  });

  test("of messages shows what was held back before its block ends", () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = randomOf(seed);
      const [thought, said, given] = [some(random, 4), some(random, 8), JSON.stringify({ to: some(random, 3) })];
      const [thoughts, words] = [cut(thought, random, 7), cut(said, random, 7)];
      // Some suppliers put the first text into the event that starts its block.
      const first = (pieces: string[]) => (random(2) === 0 ? "" : (pieces.shift() ?? ""));
      const block = (index: number, start: object, deltas: object[]) =>
        event({ type: "content_block_start", index, content_block: start }, "content_block_start") +
        deltas.map((delta) => event({ type: "content_block_delta", index, delta }, "content_block_delta")).join("") +
        event({ type: "content_block_stop", index }, "content_block_stop");
      const events =
        event({ type: "message_start", message: { usage: { input_tokens: 1, output_tokens: 1 } } }, "message_start") +
        block(0, { type: "thinking", thinking: first(thoughts) }, [
          ...thoughts.map((thinking) => ({ type: "thinking_delta", thinking })),
          { type: "signature_delta", signature: "secret" },
        ]) +
        block(
          1,
          { type: "text", text: first(words) },
          words.map((text) => ({ type: "text_delta", text })),
        ) +
        block(
          2,
          { type: "tool_use", id: "t", name: "secret", input: {} },
          cut(given, random, 7).map((partial_json) => ({ type: "input_json_delta", partial_json })),
        ) +
        event(
          { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 9 } },
          "message_delta",
        ) +
        event({ type: "message_stop" }, "message_stop");
      const reader = translatorFor("messages", "messages")!.openStream(
        messagesDialect.read('{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],"stream":true}'),
      );
      const { wires } = shown(reader, messagesDialect, events, random);
      const of = (name: string) =>
        joined(wires.map(({ delta, content_block }) => delta?.[name] ?? content_block?.[name]));
      expect(of("thinking"), `seed ${seed}`).toBe(redacted(thought));
      expect(of("text")).toBe(redacted(said));
      expect(of("partial_json")).toBe(redacted(given));
      expect(of("signature")).toBe("secret");
      const open = new Set<number>();
      for (const { type, index } of wires) {
        if (type === "content_block_start") open.add(index);
        if (type === "content_block_delta") expect(open.has(index)).toBe(true);
        if (type === "content_block_stop") open.delete(index);
      }
      expect(wires.at(-1).type).toBe("message_stop");
    }
  });

  test("of responses says the same in its pieces, its parts and its end, and numbers its events without gaps", () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = randomOf(seed);
      const [said, first] = [some(random, 8), JSON.stringify({ to: some(random, 3) })];
      const events =
        chunkOf({ role: "assistant", content: "" }) +
        cut(said, random, 7)
          .map((content) => chunkOf({ content }))
          .join("") +
        chunkOf({
          tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "f", arguments: "" } }],
        }) +
        cut(first, random, 7)
          .map((text) => chunkOf({ tool_calls: [{ index: 0, function: { arguments: text } }] }))
          .join("") +
        chunkOf({}, 0, "tool_calls") +
        DONE;
      const inference = responsesDialect.read(
        '{"model":"m","input":"hi","stream":true,"store":false,"tools":[{"type":"function","name":"f","parameters":{}}]}',
      );
      translatorFor("responses", "chat")!.forward(inference, aRoute());
      const { wires } = shown(
        translatorFor("responses", "chat")!.openStream(inference),
        responsesDialect,
        events,
        random,
      );
      const of = (type: string) => wires.filter((wire) => wire.type === type);
      expect(joined(of("response.output_text.delta").map(({ delta }) => delta)), `seed ${seed}`).toBe(redacted(said));
      expect(of("response.output_text.done")[0].text).toBe(redacted(said));
      expect(joined(of("response.function_call_arguments.delta").map(({ delta }) => delta))).toBe(redacted(first));
      const [{ response }] = of("response.completed");
      expect(
        response.output.map(
          (item: { content?: { text: string }[]; arguments?: string }) => item.arguments ?? item.content?.[0]?.text,
        ),
      ).toEqual([redacted(said), redacted(first)]);
      expect(wires.map(({ sequence_number }) => sequence_number)).toEqual(wires.map((_, index) => index));
    }
  });

  test("shows nothing of what is refused, nor behind it", () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const random = randomOf(seed);
      const texts = { said: `${some(random, 5)} forbidden and more`, other: "", first: "", second: "" };
      const reader = translatorFor("chat", "chat")!.openStream(
        chatDialect.read('{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true}'),
      );
      const { wires, guarded } = shown(reader, chatDialect, chatEvents(texts, random), random);
      expect(guarded.rejection?.code).toBe("request_rejected");
      expect(JSON.stringify(wires)).not.toMatch(/for|more/);
      const problem = { code: "c", type: "t", message: "m", humanMessage: "h" };
      expect(guarded.errorEvent(problem)?.toString()).not.toContain("forbidden");
    }
  });

  test.each(["chat", "responses"] as const)(
    "of responses that a supplier of %s breaks off tells what was said once more, redacted, in its last event",
    (spoken) => {
      for (let seed = 1; seed <= 20; seed += 1) {
        const random = randomOf(seed);
        const said = `${some(random, 6)} a secret for ada@example.com`;
        const pieces = cut(said, random, 7);
        const place = { item_id: "msg_1", output_index: 0, content_index: 0 };
        const told = { id: "resp_1", object: "response", status: "in_progress", model: "m", output: [] };
        const item = { id: "msg_1", type: "message", role: "assistant", status: "in_progress", content: [] };
        const events =
          spoken === "chat"
            ? pieces.map((content) => chunkOf({ content })).join("")
            : [
                { type: "response.created", response: told },
                { type: "response.output_item.added", output_index: 0, item },
                {
                  type: "response.content_part.added",
                  ...place,
                  part: { type: "output_text", text: "", annotations: [] },
                },
                ...pieces.map((delta) => ({ type: "response.output_text.delta", ...place, delta })),
              ]
                .map((data, sequence_number) => event({ ...data, sequence_number }, data.type))
                .join("");
        const inference = responsesDialect.read('{"model":"m","input":"hi","stream":true,"store":false}');
        const translator = translatorFor("responses", spoken)!;
        translator.forward(inference, aRoute());
        const { wires, guarded } = shown(translator.openStream(inference), responsesDialect, events, random);
        const last = guarded.errorEvent({ code: "c", type: "t", message: "m", humanMessage: "h" })!.toString();
        const all = JSON.stringify(wires) + last;
        expect(last, `seed ${seed}`).toContain("response.failed");
        expect(all).not.toMatch(/secret|ada@example/);
        const deltas = last.split("\n\n").flatMap((text) => /^data: (\{.*)$/m.exec(text)?.[1] ?? []);
        const rest = deltas.map((data) => JSON.parse(data)).filter(({ type }) => type === "response.output_text.delta");
        const shownText = [...wires, ...rest].filter(({ type }) => type === "response.output_text.delta");
        expect(joined(shownText.map(({ delta }) => delta))).toBe(redacted(said));
      }
    },
  );
});
