import fc from "fast-check";
import { expect, test } from "vitest";
import { type ReportedError, reportedError } from "./reported-error";

const missing = { loc: ["body", "messages", 0, "content"], msg: "Field required", type: "missing" };
const tooLong = { loc: ["body", "stop"], msg: "List should have at most 4 items", type: "too_long" };

test.each<[string, unknown, Partial<ReportedError>]>([
  [
    "chat style",
    { error: { code: "busy", type: "server_error", message: "overloaded", param: "model" } },
    { code: "busy", type: "server_error", message: "overloaded", param: "model", status: null },
  ],
  [
    "messages style",
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" }, request_id: "req_1" },
    { code: null, type: "overloaded_error", message: "Overloaded" },
  ],
  ["the inner object alone", { code: "busy", message: "overloaded" }, { code: "busy", message: "overloaded" }],
  ["a status as its code", { code: 502, message: "the provider is down" }, { code: null, status: 502 }],
  ["a status as its code, in a text", { error: { code: "400", message: "no" } }, { code: null, status: 400 }],
  ["a number of its own as its code", { error: { code: 1210, message: "no" } }, { code: "1210", status: null }],
  ["a text", "out of quota", { code: null, type: null, message: "out of quota" }],
  ["a text as the error", { error: "model is overloaded" }, { code: null, message: "model is overloaded" }],
  ["a flag as the error", { error: true, message: "no such model" }, { message: "no such model" }],
  [
    "a name and its description",
    { error: "invalid_grant", error_description: "expired" },
    { code: "invalid_grant", message: "expired" },
  ],
  [
    "the status in words beside the words",
    { status: 400, error: "Bad Request", message: "no stop" },
    { code: null, status: 400, message: "no stop" },
  ],
  [
    "a list with one error",
    [{ error: { code: 400, message: "Invalid value", status: "INVALID_ARGUMENT" } }],
    { code: "INVALID_ARGUMENT", status: 400, message: "Invalid value" },
  ],
  [
    "a list of faults",
    { detail: [missing, tooLong] },
    {
      code: null,
      message: "messages.0.content: Field required; stop: List should have at most 4 items",
      param: "messages.0.content",
    },
  ],
  [
    "a list of faults as the message",
    { object: "error", message: { detail: [tooLong] }, type: "invalid_request_error", code: null },
    { type: "invalid_request_error", message: "stop: List should have at most 4 items", param: "stop" },
  ],
  ["faults alone", [missing], { message: "messages.0.content: Field required", param: "messages.0.content" }],
  ["a detail", { detail: "Not authorised for this model" }, { message: "Not authorised for this model" }],
  ["an object as the detail", { detail: { code: "busy", message: "later" } }, { message: "later" }],
  [
    "problem details",
    { type: "https://problems.example/quota", title: "Quota", status: 422, detail: "No quota left" },
    { type: null, status: 422, message: "No quota left" },
  ],
  [
    "errors",
    { success: false, errors: [{ code: 7003, message: "No route" }, "No model"] },
    { message: "No route; No model" },
  ],
  [
    "a message with errors",
    { message: "Validation failed", errors: [{ message: "n is not supported" }] },
    { message: "Validation failed: n is not supported" },
  ],
  [
    "a content filter",
    {
      error: {
        ...{ code: "content_filter", message: "The prompt was filtered.", param: "prompt", status: 400 },
        innererror: {
          code: "ResponsibleAIPolicyViolation",
          content_filter_result: { hate: { filtered: true, severity: "high" }, violence: { filtered: false } },
        },
      },
    },
    {
      code: "content_filter",
      param: "prompt",
      message: "The prompt was filtered. (ResponsibleAIPolicyViolation: hate)",
    },
  ],
  [
    "a filter that names its code inside only",
    { error: { code: "400", message: "Filtered.", innererror: { code: "ContentFilter" } } },
    { code: "ContentFilter", message: "Filtered. (ContentFilter)" },
  ],
  ["errors in errors", { error: { error: { message: "deep" } } }, { message: "deep" }],
  [
    "members of other types",
    { code: null, type: 3, message: { text: "x" }, param: 7 },
    { code: null, type: null, message: null, param: null },
  ],
  ["nothing", null, { code: null, type: null, message: null, param: null }],
  ["an empty object", {}, { message: null }],
  ["a flag", true, { message: null }],
])("%s", (_shape, said, expected) => {
  expect(reportedError(said)).toMatchObject(expected);
});

test("whatever a supplier sends is read, and what is told of it is short", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 8 }),
      fc.constantFrom("error", "detail", "message", "errors"),
      (value, name) => {
        for (const said of [value, { [name]: value }, [{ [name]: value }]]) {
          const { message, code } = reportedError(said);
          expect(message === null || (message !== "" && message.length < 10_000)).toBe(true);
          expect(code ?? "").not.toMatch(/^[45]\d\d$/);
        }
      },
    ),
    { numRuns: 3_000 },
  );
  let deep: unknown = "end";
  for (let level = 0; level < 50_000; level += 1) deep = { error: [deep] };
  expect(() => reportedError(deep)).not.toThrow();
});
