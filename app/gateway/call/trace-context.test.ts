import { expect, test } from "vitest";
import { withTraceContext } from "./trace-context";

const PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const sent = (client: Record<string, string>) => withTraceContext({ accept: "x" }, new Headers(client));

test("a trace context goes on as it came, beside the other headers", () => {
  expect(sent({ traceparent: PARENT })).toEqual({ accept: "x", traceparent: PARENT });
  expect(sent({ traceparent: PARENT, tracestate: "vendor=1" })).toEqual({
    accept: "x",
    traceparent: PARENT,
    tracestate: "vendor=1",
  });
});

test("what is no trace context is left out, and a state goes with a parent only", () => {
  const wrong = [
    "",
    "x",
    PARENT.toUpperCase(),
    `${PARENT}-`,
    PARENT.replace("00-", "ff-"),
    `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
    `00-4bf92f3577b34da6a3ce929d0e0e4736-${"0".repeat(16)}-01`,
  ];
  for (const traceparent of wrong) expect(sent({ traceparent, tracestate: "vendor=1" })).toEqual({ accept: "x" });
  expect(sent({ tracestate: "vendor=1" })).toEqual({ accept: "x" });
  expect(sent({ traceparent: PARENT, tracestate: "a".repeat(513) })).toEqual({ accept: "x", traceparent: PARENT });
});
