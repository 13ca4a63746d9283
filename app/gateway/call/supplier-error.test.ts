import { describe, expect, test } from "vitest";
import { apiError } from "~/errors/app-error";
import { errorEnvelope } from "~/errors/envelope";
import { SupplierFailure } from "../canonical/supplier-failure";
import { errorInside } from "../dialects/wire/events/whole-json";
import { readFailure } from "../suppliers/toolkit/read-failure";
import { streamError, supplierError } from "./supplier-error";

const told = (status: number) => supplierError(readFailure({ status, headers: {}, body: Buffer.from("{}") }), 1);

test.each([
  [400, 400, "request_rejected", false],
  [404, 404, "request_rejected", false],
  [408, 408, "upstream_timeout", true],
  [418, 400, "request_rejected", false],
  [429, 429, "rate_limit_exceeded", true],
  [500, 500, "upstream_error", true],
  [520, 502, "upstream_error", true],
])(
  "a supplier's %i is told as %i %s; client libraries may repeat it by themselves: %s",
  (status, kept, code, mayRetry) => {
    expect(told(status)).toMatchObject({ status: kept, code, mayRetry });
  },
);

test("what messages SDKs read beside the message reaches their clients, made safe", () => {
  const details = {
    error_code: "thread_not_found",
    unsupported: ["model", 1],
    after: 3,
    page: "<b>x</b>",
    deep: { a: 1 },
  };
  const error = { type: "not_found_error", message: "No such thread.", details };
  const problem = supplierError(
    readFailure({ status: 404, headers: {}, body: Buffer.from(JSON.stringify({ type: "error", error })) }),
    1,
  );
  const safe = { error_code: "thread_not_found", unsupported: ["model"], after: 3 };
  expect(errorEnvelope(problem, "messages").error.details).toEqual(safe);
  expect(errorEnvelope(problem).error).not.toHaveProperty("details");
  for (const odd of [null, [], "x", { deep: {} }]) {
    const body = Buffer.from(JSON.stringify({ error: { ...error, details: odd } }));
    expect(
      errorEnvelope(supplierError(readFailure({ status: 400, headers: {}, body }), 1), "messages").error,
    ).not.toHaveProperty("details");
  }
});

test("an error inside an answer of 200 keeps the supplier's code, category and words", () => {
  const words = "The engine is overloaded.";
  const said = {
    executed: "no",
    isReported: true,
    supplierCode: "engine_overloaded",
    supplierType: "server_error",
  } as const;
  expect(supplierError(new SupplierFailure("protocol", words, said), 1)).toMatchObject({
    status: 502,
    code: "engine_overloaded",
    catalogueCode: "upstream_error",
    type: "server_error",
    humanMessage: words,
  });
  // If gw cannot parse the supplier's answer, the message is gw's own.
  const unreadable = new SupplierFailure("protocol", "the supplier's answer is not JSON", { executed: "unknown" });
  expect(supplierError(unreadable, 1)).toMatchObject({ status: 502, code: "upstream_invalid_response" });
});

describe("a supplier's words reach the client", () => {
  const envelopes = (status: number, body: string) => {
    const problem = supplierError(readFailure({ status, headers: {}, body: Buffer.from(body) }), 1);
    return [errorEnvelope(problem).error, errorEnvelope(problem, "messages").error];
  };
  const fault = { loc: ["body", "stop"], msg: "List should have at most 4 items", type: "too_long" };

  test.each<[string, number, unknown, { code: string; human: string; param?: string }]>([
    [
      "a list of faults",
      422,
      { detail: [fault] },
      { code: "request_rejected", human: "stop: List should have at most 4 items", param: "stop" },
    ],
    [
      "a list of faults as the message",
      422,
      { message: { detail: [fault] } },
      { code: "request_rejected", human: "stop: List should have at most 4 items", param: "stop" },
    ],
    ["a detail", 404, { detail: "No such deployment" }, { code: "request_rejected", human: "No such deployment" }],
    [
      "an error in a list",
      400,
      [{ error: { code: 400, message: "Bad value", status: "INVALID_ARGUMENT" } }],
      { code: "INVALID_ARGUMENT", human: "Bad value" },
    ],
    [
      "a status as the code",
      400,
      { error: { code: 400, message: "Bad value", type: "BadRequestError", param: "top_p" } },
      { code: "request_rejected", human: "Bad value", param: "top_p" },
    ],
    [
      "a status as the code of a limit",
      429,
      { error: { code: "429", message: "Slow down" } },
      { code: "rate_limit_exceeded", human: "Slow down" },
    ],
    [
      "a status as the code of its own fault",
      500,
      { error: { code: 500, message: "It broke" } },
      { code: "upstream_error", human: "It broke" },
    ],
    [
      "a content filter",
      400,
      {
        error: {
          code: "content_filter",
          message: "Filtered.",
          param: "prompt",
          innererror: { code: "ResponsibleAIPolicyViolation" },
        },
      },
      { code: "content_filter", human: "Filtered. (ResponsibleAIPolicyViolation)", param: "prompt" },
    ],
    [
      "plain text",
      503,
      "upstream connect error or disconnect/reset before headers\n",
      { code: "upstream_error", human: "upstream connect error or disconnect/reset before headers" },
    ],
    [
      "a page",
      404,
      "<html><body><h1>404 Not Found</h1></body></html>",
      { code: "request_rejected", human: "the supplier answered 404" },
    ],
    [
      "a page inside JSON",
      404,
      { detail: "<b>no</b>" },
      { code: "request_rejected", human: apiError("request_rejected").humanMessage },
    ],
    ["bytes", 404, "\u0000\u0001\ufffd", { code: "request_rejected", human: "the supplier answered 404" }],
    ["nothing", 404, "", { code: "request_rejected", human: "the supplier answered 404" }],
  ])("%s", (_shape, status, body, { code, human, param }) => {
    for (const error of envelopes(status, typeof body === "string" ? body : JSON.stringify(body))) {
      expect(error).toMatchObject({ code, human_message: human, message: `${code} - ${human}` });
      expect(error.param).toBe(param);
    }
  });

  test("but never more than a thousand characters, and no markup", () => {
    for (const body of [
      "word ".repeat(9_000),
      JSON.stringify({ detail: Array(99).fill({ msg: "word ".repeat(999) }) }),
    ])
      for (const error of envelopes(400, body)) {
        expect(error.human_message.length).toBeLessThanOrEqual(1_000);
        expect(error.human_message).toMatch(/^word word/);
      }
  });

  test("but not where they are about gw's own credential", () => {
    for (const error of envelopes(401, "Incorrect API key provided: sk-1234"))
      expect(error.message).not.toContain("1234");
  });
});

test.each([
  "prompt is too long: 9000 tokens > 8192 maximum",
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
  "The input token count (9000) exceeds the maximum number of tokens allowed (8192).",
])("a prompt that does not fit has one code, whoever says it, and keeps its words: %s", (message) => {
  for (const error of [{ message }, { type: "invalid_request_error", message }, { code: 400, message }]) {
    const problem = supplierError(
      readFailure({ status: 400, headers: {}, body: Buffer.from(JSON.stringify({ error })) }),
      1,
    );
    expect(problem).toMatchObject({
      status: 400,
      code: "context_length_exceeded",
      humanMessage: message,
      mayRetry: false,
    });
  }
});

test("a status in the code of an error inside an answer of 200 is that status", () => {
  const limited = errorInside({ code: 429, message: "Slow down" });
  expect(supplierError(limited, 1)).toMatchObject({
    status: 429,
    code: "rate_limit_exceeded",
    humanMessage: "Slow down",
  });
  expect(supplierError(errorInside("no room"), 1)).toMatchObject({
    status: 502,
    code: "upstream_error",
    humanMessage: "no room",
  });
});

test("an answer that is too large is known by its kind, whatever words a failure has", () => {
  const failed = (kind: SupplierFailure["kind"]) =>
    supplierError(new SupplierFailure(kind, "this is too large", { executed: "yes" }), 1).code;
  expect(failed("too_large")).toBe("provider_response_too_large");
  expect(failed("protocol")).toBe("upstream_invalid_response");
});

test.each([
  // Nothing was produced, or the answer broke off: this supplier or another may be called again.
  ["no", true, true],
  ["yes", true, true],
  ["no", false, true],
  // Neither gw nor a client library repeats a request that may have side effects at the supplier.
  ["yes", false, false],
  ["unknown", true, false],
  ["unknown", false, false],
] as const)("executed: %s, safe to repeat: %s, may a client library repeat it: %s", (executed, retrySafe, mayRetry) => {
  const broken = new SupplierFailure("reset", "the supplier's connection broke", { executed });
  const reported = new SupplierFailure("protocol", "boom", { executed, isReported: true });
  expect(supplierError(broken, 1, retrySafe).mayRetry).toBe(mayRetry);
  expect(supplierError(reported, 1, retrySafe).mayRetry).toBe(mayRetry);
  // A stream that has begun may report its error with a status.
  const overloaded = new SupplierFailure("status", "busy", { executed, status: 429, isReported: true });
  expect(supplierError(overloaded, 1, retrySafe).mayRetry).toBe(mayRetry);
});

describe("an error inside a stream", () => {
  const failure = { code: null, type: null, message: "Overloaded", protocol: false };

  test("keeps the supplier's type, code and words", () => {
    expect(streamError({ ...failure, type: "overloaded_error" })).toMatchObject({
      ...{ code: "stream_error", supplierCode: null, type: "overloaded_error", humanMessage: "Overloaded" },
    });
    expect(streamError({ ...failure, code: "server_is_overloaded", type: "server_error" })).toMatchObject({
      ...{ code: "server_is_overloaded", catalogueCode: "stream_error", type: "server_error" },
    });
  });

  test("that has a status for a name has the type of that status, and one that does not fit has its code", () => {
    expect(streamError({ ...failure, status: 529 }).type).toBe("overloaded_error");
    expect(streamError({ ...failure, status: 429 }).type).toBe("rate_limit_error");
    const long = "prompt is too long: 200001 tokens > 200000 maximum";
    expect(streamError({ ...failure, message: long }).code).toBe("context_length_exceeded");
  });

  test("says nothing of gw's own sign-in at the supplier, and nothing that the supplier did not say", () => {
    const own = apiError("stream_error").message;
    for (const secret of [
      { type: "authentication_error" },
      { code: "invalid_api_key" },
      { status: 402 },
      { protocol: true },
    ])
      expect(streamError({ ...failure, message: "sk-secret", ...secret }).message).toBe(own);
    expect(streamError(null).message).toBe(own);
  });
});

test.each([
  ["Your input exceeds the context window of this model.", null],
  ["Input is too long for requested model.", "ValidationException"],
  ["The input token count (9000) exceeds the maximum number of tokens allowed (8192).", "INVALID_ARGUMENT"],
])("a prompt that does not fit has one code, whatever its supplier's: %s", (message, supplierCode) => {
  const failure = new SupplierFailure("status", message, {
    executed: "no",
    status: 400,
    supplierCode,
    isReported: true,
  });
  const { code, catalogueCode } = supplierError(failure, 1);
  expect([code, catalogueCode]).toEqual(["context_length_exceeded", "context_length_exceeded"]);
});
