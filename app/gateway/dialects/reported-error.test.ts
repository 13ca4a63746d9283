import { expect, test } from "vitest";
import { reportedError } from "./reported-error";

test.each([
  [{ code: "busy", type: "server_error", message: "overloaded" }, "busy", "server_error", "overloaded"],
  [{ code: 502, message: "the provider is down" }, "502", null, "the provider is down"],
  ["out of quota", null, null, "out of quota"],
  [{ code: null, type: 3, message: { text: "x" } }, null, null, "the supplier reported an error"],
  [null, null, null, "the supplier reported an error"],
  [true, null, null, "the supplier reported an error"],
])("%j", (error, code, type, message) => {
  expect(reportedError(error)).toEqual({ code, type, message });
});
