import { expect, test } from "vitest";
import { isHeaderName, isParameterName } from "./extras-rules";

test.each(["__proto__", "__PROTO__"])(
  "%s is the name of no header and of no parameter: it could not be stored",
  (name) => {
    expect([isHeaderName(name), isParameterName(name)]).toEqual([false, false]);
  },
);

test.each(["x-proto", "constructor", "__proto"])("%s may be the name of either", (name) => {
  expect([isHeaderName(name), isParameterName(name)]).toEqual([true, true]);
});
