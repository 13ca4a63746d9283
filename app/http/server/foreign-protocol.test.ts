import { expect, test } from "vitest";
import { foreignProtocol } from "./foreign-protocol";

const told = (bytes: string) => foreignProtocol(Buffer.from(bytes, "latin1"))?.userMessage;

test.each([
  ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/2 came"],
  ["PROXY TCP4 203.0.113.9 10.0.0.1 50123 443\r\nGET / HTTP/1.1\r\n", "PROXY protocol came"],
  ["PROXY UNKNOWN\r\n", "PROXY protocol came"],
  ["\r\n\r\n\0\r\nQUIT\n\x21\x11", "PROXY protocol came"],
  ["\x16\x03\x01\x02\x00\x01", "TLS came"],
])("%j is told by its name", (bytes, words) => expect(told(bytes)).toContain(words));

test.each(["", "GET / HTTP/1.1\r\n", "PROPFIND / HTTP/1.1", "SSH-2.0-x", "\x16", "PRI"])(
  "%j is told by none",
  (bytes) => expect(told(bytes)).toBeUndefined(),
);

test("no bytes at all are none", () => expect(foreignProtocol(undefined)).toBeNull());
