import { expect, test } from "vitest";
import { fileResponse, rangeOf } from "./file-response";

const CONTENT = Buffer.from("0123456789");
const file = {
  name: "digits.txt",
  type: "text/plain",
  size: CONTENT.length,
  etag: '"ten"',
  read: async function* ({ from, to }: { from: number; to: number }) {
    for (let at = from; at < to; at += 1) yield CONTENT.subarray(at, at + 1);
  },
};
const get = (headers: Record<string, string>) => fileResponse(new Request("http://gw.test/", { headers }), file);

test.each([
  [null, null],
  ["bytes=0-3", { from: 0, to: 4 }],
  ["bytes=4-", { from: 4, to: 10 }],
  ["bytes=-3", { from: 7, to: 10 }],
  ["bytes=-30", { from: 0, to: 10 }],
  ["bytes=8-99", { from: 8, to: 10 }],
  ["bytes=10-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=5-3", null],
  ["bytes=0-1,3-4", null],
  ["bytes=-", null],
  ["lines=1-2", null],
])("the range %s of ten bytes is %j", (header, range) => {
  expect(rangeOf(header, 10)).toEqual(range);
});

test("a download that was cut off goes on where it ended", async () => {
  const rest = get({ range: "bytes=4-", "if-range": '"ten"' });
  expect([rest.status, rest.headers.get("content-range"), rest.headers.get("content-length")]).toEqual([
    206,
    "bytes 4-9/10",
    "6",
  ]);
  expect(await rest.text()).toBe("456789");
});

test("a part of another file is answered with the whole", async () => {
  const whole = get({ range: "bytes=4-", "if-range": '"other"' });
  expect([whole.status, await whole.text()]).toEqual([200, "0123456789"]);
});

test("what lies behind the end is refused, and what is known already is not sent", () => {
  expect([get({ range: "bytes=10-" }).status, get({ range: "bytes=10-" }).headers.get("content-range")]).toEqual([
    416,
    "bytes */10",
  ]);
  expect(get({ "if-none-match": '"ten"' }).status).toBe(304);
});
