import { expect, test } from "vitest";
import { supplierProblem } from "./supplier-problem";
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
