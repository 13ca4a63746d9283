import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Route } from "~/domain/catalogue/shared";
import { readRerankAnswer } from "./answer";
import { forwardRerank } from "./forward";
import { type RerankSource, readRerank } from "./read";

const fine = { model: "r", query: "q", documents: ["a", "b", "c"] };
const read = (body: Record<string, unknown> = {}) => readRerank(JSON.stringify({ ...fine, ...body }));
const codeOf = (body: Record<string, unknown>) => {
  try {
    read(body);
    return "accepted";
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe("requests", () => {
  test("take documents as texts and as objects, in one list too", () => {
    const inference = read({ documents: ["a", { text: "b", id: 7 }], top_n: 9, return_documents: true, region: "EU" });
    expect(inference.region).toBe("eu");
    expect(inference.source).toMatchObject({ texts: ["a", "b"], topN: 9, returnDocuments: true });
    const body = JSON.parse(forwardRerank(inference, { upstreamModel: "up", supplier: { kind: "chat" } } as Route));
    expect(body).toEqual({ model: "up", query: "q", documents: ["a", "b"], top_n: 2 });
  });

  test("pass what gw does not read", () => {
    const body = JSON.parse(
      forwardRerank(read({ max_tokens_per_doc: 100 }), { upstreamModel: "up", supplier: { kind: "chat" } } as Route),
    );
    expect(body).toEqual({ ...fine, model: "up", max_tokens_per_doc: 100 });
  });

  test("bound what a supplier can count: the query with every document, and searches of a hundred chunks", () => {
    const { size } = read({ query: "q".repeat(100), documents: Array.from({ length: 250 }, () => "d".repeat(600)) });
    expect(size.maxRequests).toBe(5);
    expect(size.maxInputTokens).toBeGreaterThan(250 * (600 + 100));
  });

  test.each([
    [{ model: undefined }, "missing_model"],
    [{ model: "auto" }, "unsupported_auto_mode"],
    [{ query: undefined }, "missing_fields"],
    [{ documents: undefined }, "missing_fields"],
    [{ query: "" }, "invalid_request"],
    [{ query: ["q"] }, "invalid_request"],
    [{ documents: [] }, "invalid_request"],
    [{ documents: "a" }, "invalid_request"],
    [{ documents: ["a", 1] }, "invalid_request"],
    [{ documents: [{ title: "a" }] }, "invalid_request"],
    [{ top_n: 0 }, "invalid_request"],
    [{ top_n: "3" }, "invalid_request"],
    [{ return_documents: "yes" }, "invalid_request"],
    [{ rank_fields: ["title"] }, "unsupported_parameter"],
    [{ rank_fields: ["text"] }, "accepted"],
  ])("%j is %s", (body, code) => expect(codeOf(body)).toBe(code));
});

describe("answers", () => {
  const answerOf = (body: Record<string, unknown>, answer: unknown) => {
    const read_ = readRerankAnswer(read(body).source as RerankSource, Buffer.from(JSON.stringify(answer)));
    return { ...read_, json: JSON.parse(read_.body.toString()) };
  };

  test("are sorted by score, ties by position, and cut to top_n", () => {
    const results = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(results, fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }), (scores, topN) => {
        const wire = scores.map((relevance_score, index) => ({ index, relevance_score }));
        const { json } = answerOf({ documents: scores.map(String), top_n: topN }, { results: wire.reverse() });
        expect(json.results).toHaveLength(Math.min(scores.length, topN ?? scores.length));
        for (const [at, result] of json.results.entries()) {
          expect(result.relevance_score).toBe(scores[result.index]! + 0);
          const before = json.results[at - 1];
          if (!before) continue;
          const inOrder =
            before.relevance_score > result.relevance_score ||
            (before.relevance_score === result.relevance_score && before.index < result.index);
          expect(inOrder).toBe(true);
        }
      }),
    );
  });

  test("are read in the shapes of several suppliers", () => {
    expect(answerOf({}, { data: [{ index: 2, score: 0.5 }], usage: { total_tokens: 7 } })).toMatchObject({
      json: { model: "r", results: [{ index: 2, relevance_score: 0.5 }] },
      usage: { inputTokens: 7 },
    });
    const searches = { meta: { billed_units: { search_units: 2 } }, id: "x", model: "m", results: [] };
    expect(answerOf({}, searches)).toMatchObject({
      json: { id: "x", model: "m" },
      usage: { requests: 2, inputTokens: 0 },
    });
    expect(answerOf({}, { results: [] }).usage).toBeNull();
  });

  test("carry the client's own documents where it wants them back", () => {
    const { json } = answerOf(
      { return_documents: true },
      { results: [{ index: 1, relevance_score: 1, document: "forged" }] },
    );
    expect(json.results).toEqual([{ index: 1, relevance_score: 1, document: { text: "b" } }]);
  });

  test.each([
    [{ results: [{ index: 3, relevance_score: 1 }] }],
    [{ results: [{ index: -1, relevance_score: 1 }] }],
    [{ results: [{ index: 0, relevance_score: "1" }] }],
    [
      {
        results: [
          { index: 0, relevance_score: 1 },
          { index: 0, relevance_score: 2 },
        ],
      },
    ],
    [{ results: [null] }],
    [{ results: "x" }],
    [{}],
  ])("%j is no answer", (answer) => {
    expect(() => answerOf({}, answer)).toThrowError(expect.objectContaining({ kind: "protocol" }));
  });
});
