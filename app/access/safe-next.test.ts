import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cameFrom, safeNext } from "./safe-next";

describe("the page to go on to", () => {
  test.each(["/dashboard", "/dashboard/keys?status=active&q=a%20b", "/a#b", "/"])("may be %s", (path) => {
    expect(safeNext(path, "/x")).toBe(path);
  });

  test.each([
    "//evil.test",
    "/\\evil.test",
    "\\\\evil.test",
    "https://evil.test",
    "javascript:alert(1)",
    "/\t/evil.test",
    "/\n/evil.test",
    "/a\r\nset-cookie: x",
    " /a",
    "",
    "a",
    "/.//evil.test",
    "/..//evil.test",
    "/ü",
    "/a\\..\\b",
    null,
    undefined,
    7,
    ["/a"],
  ])("is not %j", (path) => {
    expect(safeNext(path, "/x")).toBe("/x");
  });

  test("stays on this host whatever is written", () => {
    const pieces = fc.constantFrom(
      "/",
      "\\",
      ".",
      ":",
      "@",
      "evil.test",
      "https",
      "\t",
      "\n",
      "?",
      "#",
      "%2f",
      "%5c",
      "a",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const target = safeNext(parts.join(""), "/x");
        expect(new URL(target, "https://own.example").host).toBe("own.example");
      }),
      { numRuns: 2_000 },
    );
  });
});

test("a request is sent back only to a page of its own host", () => {
  const request = (referer: string) =>
    new Request("https://own.example/a", { headers: { referer, host: "own.example" } });
  expect(cameFrom(request("https://own.example/b?c=1"), "/x")).toBe("/b?c=1");
  expect(cameFrom(request("https://evil.test/b"), "/x")).toBe("/x");
  expect(cameFrom(request("https://own.example//evil.test"), "/x")).toBe("/x");
});
