import { describe, expect, test } from "vitest";
import { chatDialect } from "../../chat";
import { completionsDialect } from "../../completions";
import { messagesDialect } from "../../messages";
import { responsesDialect } from "../../responses";
import { translatorFor } from "../../translators";
import { aRoute, dataIn, through } from "../__fixtures__/streams";

const ASKS = {
  chat: { dialect: chatDialect, body: { messages: [{ role: "user", content: "Hi" }] } },
  messages: { dialect: messagesDialect, body: { messages: [{ role: "user", content: "Hi" }], max_tokens: 100 } },
  responses: { dialect: responsesDialect, body: { input: "Hi" } },
  completions: { dialect: completionsDialect, body: { prompt: "Hi" } },
};
type Client = keyof typeof ASKS;
type Supplier = "chat" | "gemini" | "converse";
const CLIENTS = ["chat", "messages", "responses"] as const;

function asked(client: Client, supplier: Supplier, stream: boolean) {
  const { dialect, body } = ASKS[client];
  const inference = dialect.read(JSON.stringify({ model: "m", ...body, stream }));
  return { inference, translator: translatorFor(client, supplier)! };
}

async function whole(client: Client, supplier: Supplier, answer: object) {
  const { inference, translator } = asked(client, supplier, false);
  return translator.readAnswer(inference, Buffer.from(JSON.stringify(answer)));
}

function streamed(client: Client, supplier: Supplier, events: readonly [string, object][]) {
  const { inference, translator } = asked(client, supplier, true);
  const reader = translator.openStream(inference);
  const written = events.map(
    ([type, data]) => `${type === "" ? "" : `event: ${type}\n`}data: ${JSON.stringify(data)}\n\n`,
  );
  return {
    reader,
    seen: through(
      reader,
      written.map((text) => Buffer.from(text)),
    ),
  };
}

const GEMINI_USAGE = { promptTokenCount: 40, candidatesTokenCount: 1290 };
const fromGemini = (parts: object[] | null, finishReason?: string) => ({
  candidates: [{ ...(parts === null ? {} : { content: { parts, role: "model" } }), finishReason, index: 0 }],
  usageMetadata: GEMINI_USAGE,
});
const CONVERSE_USAGE = { inputTokens: 40, outputTokens: 5, totalTokens: 45 };
const fromConverse = (content: object[], stopReason: string) => ({
  output: { message: { role: "assistant", content } },
  stopReason,
  usage: CONVERSE_USAGE,
});

describe.each(CLIENTS)("a %s client", (client) => {
  test.each<[string, object[] | null]>([
    ["MALFORMED_FUNCTION_CALL", null],
    ["MALFORMED_FUNCTION_CALL", [{ text: "I will call" }]],
    ["UNEXPECTED_TOOL_CALL", null],
    ["TOO_MANY_TOOL_CALLS", [{ text: "Again." }]],
    ["MISSING_THOUGHT_SIGNATURE", null],
    ["OTHER", [{ text: "Half" }]],
    ["OTHER", []],
    ["NO_IMAGE", null],
    ["IMAGE_OTHER", [{ thought: true, text: "Hm." }]],
    ["A_REASON_OF_NEXT_YEAR", null],
  ])("is told of %s of Gemini as an error: %j", async (reason, parts) => {
    await expect(whole(client, "gemini", fromGemini(parts, reason))).rejects.toMatchObject({
      ...{ supplierCode: reason, isReported: true, executed: "yes" },
    });
    const { reader } = streamed(client, "gemini", [["", fromGemini(parts, reason)]]);
    expect(reader).toMatchObject({ state: "failed", failure: { code: reason, protocol: false } });
    expect(reader.usage).toMatchObject({ inputTokens: 40, outputTokens: 1290 });
  });

  test.each(["malformed_model_output", "malformed_tool_use"])(
    "is told of %s of Bedrock as an error",
    async (reason) => {
      const failed = whole(client, "converse", fromConverse([{ text: "a" }], reason));
      await expect(failed).rejects.toMatchObject({ supplierCode: reason, executed: "yes" });
      const { reader } = streamed(client, "converse", [
        ["messageStart", { role: "assistant" }],
        ["contentBlockDelta", { contentBlockIndex: 0, delta: { text: "a" } }],
        ["messageStop", { stopReason: reason }],
        ["metadata", { usage: CONVERSE_USAGE }],
      ]);
      expect(reader).toMatchObject({ state: "failed", failure: { code: reason } });
      expect(reader.usage).toMatchObject({ inputTokens: 40, outputTokens: 5 });
    },
  );

  const REFUSED = { chat: '"finish_reason":"content_filter"', messages: '"stop_reason":"refusal"' };
  test.each(["SAFETY", "RECITATION", "LANGUAGE", "IMAGE_RECITATION", "MODEL_ARMOR"])(
    "is told of %s as a refusal",
    async (reason) => {
      const told = { ...REFUSED, responses: '"reason":"content_filter"' }[client];
      expect((await whole(client, "gemini", fromGemini(null, reason))).body.toString()).toContain(told);
      expect(streamed(client, "gemini", [["", fromGemini(null, reason)]]).seen).toContain(told);
    },
  );

  test("is told of an answer without candidates as none", async () => {
    await expect(whole(client, "gemini", { candidates: [], usageMetadata: GEMINI_USAGE })).rejects.toMatchObject({
      kind: "protocol",
    });
  });
});

describe("a picture that a model makes", () => {
  const DATA = "iVBORw0KGgo=";
  const URL = `data:image/png;base64,${DATA}`;
  const chatPicture = { type: "image_url", image_url: { url: URL } };
  const SUPPLIERS: Record<Supplier, { whole: object; events: [string, object][] }> = {
    gemini: {
      whole: fromGemini([{ text: "Here." }, { inlineData: { mimeType: "image/png", data: DATA } }], "STOP"),
      events: [
        ["", fromGemini([{ text: "Here." }])],
        ["", fromGemini([{ inlineData: { mimeType: "image/png", data: DATA } }], "STOP")],
      ],
    },
    converse: {
      whole: fromConverse([{ text: "Here." }, { image: { format: "png", source: { bytes: DATA } } }], "end_turn"),
      events: [
        ["messageStart", { role: "assistant" }],
        ["contentBlockDelta", { contentBlockIndex: 0, delta: { text: "Here." } }],
        ["contentBlockStop", { contentBlockIndex: 0 }],
        ["contentBlockStart", { contentBlockIndex: 1, start: { image: { format: "png" } } }],
        ["contentBlockDelta", { contentBlockIndex: 1, delta: { image: { source: { bytes: DATA } } } }],
        ["contentBlockStop", { contentBlockIndex: 1 }],
        ["messageStop", { stopReason: "end_turn" }],
        ["metadata", { usage: CONVERSE_USAGE }],
      ],
    },
    chat: {
      whole: {
        choices: [{ message: { role: "assistant", content: "Here.", images: [chatPicture] }, finish_reason: "stop" }],
      },
      events: [
        ["", { id: "c", choices: [{ index: 0, delta: { content: "Here." } }] }],
        ["", { id: "c", choices: [{ index: 0, delta: { content: "", images: [chatPicture] } }] }],
        ["", { id: "c", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }],
      ],
    },
  };

  describe.each(Object.entries(SUPPLIERS))("of a %s supplier", (name, sent) => {
    const supplier = name as Supplier;

    test("reaches a chat client as its images", async () => {
      const shown = { type: "image_url", image_url: { url: URL } };
      const answer = await whole("chat", supplier, sent.whole);
      expect(JSON.parse(answer.body.toString()).choices[0].message).toMatchObject({
        content: "Here.",
        images: [shown],
      });
      expect([answer.pictures, answer.outputText()]).toEqual([1, "Here."]);
      const { seen, reader } = streamed("chat", supplier, sent.events);
      const images = dataIn(seen).flatMap(({ choices }) => choices[0]?.delta.images ?? []);
      expect(images).toMatchObject([shown]);
      expect([reader.pictures, reader.outputText()]).toEqual([1, "Here."]);
    });

    test("reaches a messages client as a block", async () => {
      const block = { type: "image", source: { type: "base64", media_type: "image/png", data: DATA } };
      const { content } = JSON.parse((await whole("messages", supplier, sent.whole)).body.toString());
      expect(content).toEqual([{ type: "text", text: "Here." }, block]);
      const { seen } = streamed("messages", supplier, sent.events);
      expect(dataIn(seen, "content_block_start").map(({ content_block }) => content_block)).toEqual([
        { type: "text", text: "" },
        block,
      ]);
      expect(dataIn(seen, "content_block_stop")).toHaveLength(2);
    });

    test("reaches a responses client as a generated image", async () => {
      const item = { type: "image_generation_call", status: "completed", result: DATA };
      const { output } = JSON.parse((await whole("responses", supplier, sent.whole)).body.toString());
      expect(output).toMatchObject([{ type: "message" }, item]);
      const { seen } = streamed("responses", supplier, sent.events);
      expect(dataIn(seen, "response.output_item.done")[1].item).toMatchObject(item);
      expect(dataIn(seen, "response.completed")[0].response.output).toMatchObject([{ type: "message" }, item]);
    });

    test("has no place in a text completion, which says so", async () => {
      await expect(Promise.resolve().then(() => whole("completions", supplier, sent.whole))).rejects.toMatchObject({
        ...{ kind: "protocol", executed: "yes", message: expect.stringContaining("no place") },
      });
      expect(streamed("completions", supplier, sent.events).reader.failure?.message).toContain("no place");
    });
  });

  test.each(CLIENTS)("does not keep a %s client from going on with the conversation", async (client) => {
    const answer = JSON.parse((await whole(client, "chat", SUPPLIERS.chat.whole)).body.toString());
    const next = { role: "user", content: "Thanks." };
    const history = {
      chat: { messages: [...ASKS.chat.body.messages, answer.choices?.[0].message, next] },
      messages: { messages: [...ASKS.chat.body.messages, { role: "assistant", content: answer.content }, next] },
      responses: { input: [next, ...(answer.output ?? []), next] },
    }[client];
    for (const supplier of ["chat", "gemini", "converse"] as const) {
      const { dialect, body } = ASKS[client];
      const inference = dialect.read(JSON.stringify({ model: "m", ...body, ...history }));
      const route = aRoute("chat");
      expect(String(translatorFor(client, supplier)!.forward(inference, route))).toContain("Thanks.");
    }
  });

  test("in a thought only is none, and a file that is no picture is an error", async () => {
    const tried = { thought: true, inlineData: { mimeType: "image/png", data: DATA } };
    expect((await whole("chat", "gemini", fromGemini([tried, { text: "Done." }], "STOP"))).pictures).toBe(0);
    const sound = fromGemini([{ inlineData: { mimeType: "audio/L16", data: DATA } }], "STOP");
    await expect(whole("chat", "gemini", sound)).rejects.toMatchObject({ kind: "protocol" });
    expect(streamed("chat", "gemini", [["", sound]]).reader.state).toBe("failed");
  });
});
