import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TokenBudget } from "../../settle/estimate";
import type { TokenCounter } from "../dialect";
import { readEmbeddingsAnswer } from "./answer";
import { checkInputTokens, type EmbeddingsSource, readEmbeddings } from "./read";
import { fromBase64, toBase64 } from "./vectors";

function counter(): TokenCounter {
  const budget = new TokenBudget();
  return (text, enough) => budget.count(text, enough);
}

const read = (body: Record<string, unknown>) => readEmbeddings(JSON.stringify({ model: "e", input: "hello", ...body }));
const codeOf = (body: Record<string, unknown>) => {
  try {
    read(body);
    return "accepted";
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe("requests", () => {
  test("take a text, texts, tokens and lists of tokens", () => {
    for (const [input, count, givenTokens] of [
      ["hello", 1, null],
      [["a", "b"], 2, null],
      [[1, 2, 3], 1, 3],
      [[[1, 2], [3]], 2, 3],
    ] as const) {
      expect(read({ input }).source).toMatchObject({ count, givenTokens });
    }
  });

  test("bound their tokens by their bytes, not by the window that holds for each input", () => {
    const inference = read({ input: Array.from({ length: 2_048 }, () => "x".repeat(2_000)) });
    expect(inference.size.maxInputTokens).toBeGreaterThan(4_000_000);
    expect(inference.size.maxOutputTokens).toBe(0);
  });

  test.each([
    [{ model: undefined }, "missing_model"],
    [{ model: "auto" }, "unsupported_auto_mode"],
    [{ input: undefined }, "missing_fields"],
    [{ input: "" }, "invalid_request"],
    [{ input: [] }, "invalid_request"],
    [{ input: ["a", ""] }, "invalid_request"],
    [{ input: ["a", 1] }, "invalid_request"],
    [{ input: [1.5] }, "invalid_request"],
    [{ input: [-1] }, "invalid_request"],
    [{ input: { text: "a" } }, "invalid_request"],
    [{ input: Array.from({ length: 2_049 }, () => "a") }, "invalid_request"],
    [{ input: Array.from({ length: 2_049 }, () => 7) }, "context_length_exceeded"],
    [{ encoding_format: "hex" }, "invalid_request"],
    [{ dimensions: 0 }, "invalid_request"],
    [{ dimensions: 1.5 }, "invalid_request"],
    [{ region: 7 }, "invalid_request"],
    [{ metadata: "x" }, "invalid_request"],
  ])("%j is refused", (body, code) => expect(codeOf(body)).toBe(code));

  test("are refused above 2048 tokens a text, which short texts are never counted for", async () => {
    const check = (input: unknown) => checkInputTokens(read({ input }).source as EmbeddingsSource, counter());
    await expect(check("word ".repeat(2_040).trim())).resolves.toBeUndefined();
    await expect(check("漢".repeat(600))).resolves.toBeUndefined();
    await expect(check("word ".repeat(2_100))).rejects.toMatchObject({
      code: "context_length_exceeded",
      param: "input",
    });
    await expect(check(["short", "word ".repeat(2_100)])).rejects.toMatchObject({ param: "input[1]" });
    await expect(check("x".repeat(3_000_000))).rejects.toMatchObject({ code: "context_length_exceeded" });
  });

  test("that cannot all be counted are left to the supplier, unless there is no doubt", async () => {
    const check = (input: unknown) => checkInputTokens(read({ input }).source as EmbeddingsSource, counter());
    const many = Array.from({ length: 200 }, () => "two words ".repeat(300));
    await expect(check([...many, "word ".repeat(2_100)])).resolves.toBeUndefined();
    await expect(check([...many, "x".repeat(300_000)])).rejects.toMatchObject({ param: "input[200]" });
  });
});

describe("answers", () => {
  const want = (count: number, format: "float" | "base64") => ({ count, format, body: { model: "asked" } });
  const usage = { prompt_tokens: 3, total_tokens: 3 };
  const bytesOf = (answer: unknown) => Buffer.from(JSON.stringify(answer));
  const parsed = async (count: number, format: "float" | "base64", answer: unknown) => {
    const read = await readEmbeddingsAnswer(want(count, format), bytesOf(answer));
    return { ...read, json: JSON.parse(read.body.toString()) };
  };

  test("come in the encoding that the client asked for, whatever the supplier sent", async () => {
    const vector = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(vector, fc.boolean()), { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (given, asFloat) => {
          const data = given.map(([floats, encoded], index) => ({
            object: "embedding",
            index,
            embedding: encoded ? toBase64(floats) : floats,
          }));
          const { json } = await parsed(given.length, asFloat ? "float" : "base64", {
            object: "list",
            data,
            model: "m",
            usage,
          });
          for (const [index, item] of json.data.entries()) {
            const floats = asFloat ? item.embedding : fromBase64(item.embedding);
            expect(typeof item.embedding === "string").toBe(!asFloat);
            expect(floats.map(Math.fround).map((value: number) => value + 0)).toEqual(
              given[index]![0].map(Math.fround).map((value) => value + 0),
            );
          }
        },
      ),
    );
  });

  test("that fit pass byte for byte, behind an id where the supplier gives none", async () => {
    const body = Buffer.from(
      '{ "object":"list", "model":"m","data":[{"object":"embedding","index":0,"embedding":[0.10000000000000000001]}],"usage":{"prompt_tokens":3,"total_tokens":3},"x":1}',
    );
    const passed = (await readEmbeddingsAnswer(want(1, "float"), body)).body.toString();
    expect(passed).toMatch(/^\{"id":"embd-[0-9a-f-]{36}",/);
    expect(`{${passed.slice(passed.indexOf(",") + 1)}`).toBe(body.toString());
    const named = Buffer.from(body.toString().replace("{", '{"id":"theirs",'));
    expect((await readEmbeddingsAnswer(want(1, "float"), named)).body).toBe(named);
  });

  test("of millions of numbers are read in pieces, and say the same", async () => {
    const data = Array.from({ length: 64 }, (_, index) => ({
      object: "embedding",
      index,
      embedding: Array.from({ length: 1_536 }, (_, place) => Math.fround(Math.sin(index + place))),
    }));
    const read = await readEmbeddingsAnswer(want(64, "base64"), bytesOf({ object: "list", data, model: "m", usage }));
    const written = JSON.parse(read.body.toString()) as { data: { embedding: string }[] };
    expect(written.data.map(({ embedding }) => fromBase64(embedding))).toEqual(data.map(({ embedding }) => embedding));
  });

  test("are put in the inputs' order, and get what they lack", async () => {
    const data = [
      { index: 1, embedding: [2] },
      { index: 0, embedding: [1] },
    ];
    const { json, usage: read } = await parsed(2, "float", { data, usage: { total_tokens: 9 } });
    expect(json).toMatchObject({ object: "list", model: "asked", usage: { prompt_tokens: 9, total_tokens: 9 } });
    expect(json.data).toEqual([
      { object: "embedding", index: 0, embedding: [1] },
      { object: "embedding", index: 1, embedding: [2] },
    ]);
    expect(read).toMatchObject({ inputTokens: 9 });
  });

  test.each([undefined, {}, { prompt_tokens: 0, total_tokens: 0 }])(
    "with the usage %j state the one that was settled",
    async (usage) => {
      const answer = await readEmbeddingsAnswer(want(1, "float"), bytesOf({ data: [{ embedding: [1] }], usage }));
      expect(answer.usage).toBeNull();
      const settled = {
        inputTokens: 12,
        cachedInputTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: 0,
        reasoningTokens: 0,
      };
      const body = JSON.parse(answer.withUsage!(settled).toString());
      expect(body.usage).toEqual({ prompt_tokens: 12, total_tokens: 12 });
    },
  );

  test.each([
    ["too few vectors", { data: [{ embedding: [1] }] }],
    [
      "an index twice",
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      },
    ],
    [
      "an index beyond",
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 2, embedding: [1] },
        ],
      },
    ],
    ["an empty vector", { data: [{ embedding: [] }, { embedding: [1] }] }],
    ["no vector", { data: [{}, null] }],
    ["words in a vector", { data: [{ embedding: ["a"] }, { embedding: [1] }] }],
    ["base64 of no floats", { data: [{ embedding: "abc" }, { embedding: "!!" }] }],
    ["no data", { object: "list" }],
    ["an error in a 200", { error: { message: "no", code: "c" } }],
    ["a list", []],
  ])("with %s are no answer", async (_name, answer) => {
    await expect(readEmbeddingsAnswer(want(2, "float"), bytesOf(answer))).rejects.toMatchObject({ kind: "protocol" });
  });
});
