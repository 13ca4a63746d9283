import { expect, test } from "vitest";
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
