import { expect, test } from "vitest";
import { isHeaderName, isOwnHeader, isOwnParameter, isParameterName } from "./extras-rules";

test.each(["__proto__", "__PROTO__"])(
  "%s is the name of no header and of no parameter: it could not be stored",
  (name) => {
    expect([isHeaderName(name), isParameterName(name)]).toEqual([false, false]);
  },
);

test.each(["x-proto", "constructor", "__proto"])("%s may be the name of either", (name) => {
  expect([isHeaderName(name), isParameterName(name)]).toEqual([true, true]);
});

test("headers of the connection, of proxies and of gw itself are no extras, however they are written", () => {
  const own = ["Host", "content-type", "Transfer-Encoding", "traceparent", "Proxy-Authorization", "proxy-connection"];
  expect(own.filter((name) => !isOwnHeader(name))).toEqual([]);
  const free = ["x-proxy", "proxy", "x-host", "authorization", "api-version"];
  expect(free.filter(isOwnHeader)).toEqual([]);
  expect(["alt", "Alt", "api-version"].map(isOwnParameter)).toEqual([true, false, false]);
});
