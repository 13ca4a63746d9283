import { expect, test } from "vitest";
import { errorEnvelope } from "~/errors/envelope";
import { supplierProblem } from "./supplier-problem";
import { SupplierFailure } from "./suppliers/adapter";
import { readFailure } from "./suppliers/toolkit/read-failure";

const told = (status: number) => supplierProblem(readFailure(status, {}, Buffer.from("{}")), 1);

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
  const problem = supplierProblem(readFailure(404, {}, Buffer.from(JSON.stringify({ type: "error", error }))), 1);
  const safe = { error_code: "thread_not_found", unsupported: ["model"], after: 3 };
  expect(errorEnvelope(problem, "messages").error.details).toEqual(safe);
  expect(errorEnvelope(problem).error).not.toHaveProperty("details");
  for (const odd of [null, [], "x", { deep: {} }]) {
    const body = Buffer.from(JSON.stringify({ error: { ...error, details: odd } }));
    expect(errorEnvelope(supplierProblem(readFailure(400, {}, body), 1), "messages").error).not.toHaveProperty(
      "details",
    );
  }
});

test("an error inside an answer of 200 keeps the supplier's code, category and words", () => {
  const words = "The engine is overloaded.";
  const said = { executed: "no", supplierCode: "engine_overloaded", supplierType: "server_error" } as const;
  expect(supplierProblem(new SupplierFailure("protocol", words, said), 1)).toMatchObject({
    status: 502,
    code: "engine_overloaded",
    catalogueCode: "upstream_error",
    type: "server_error",
    humanMessage: words,
  });
  // What gw itself could not understand is told in gw's words.
  const unreadable = new SupplierFailure("protocol", "the supplier's answer is not JSON", { executed: "unknown" });
  expect(supplierProblem(unreadable, 1)).toMatchObject({ status: 502, code: "upstream_invalid_response" });
});
