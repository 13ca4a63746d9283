import { monitorEventLoopDelay } from "node:perf_hooks";
import { describe, expect, test } from "vitest";
import { readBody } from "./read-body";
import { queryFields, readFields } from "./read-fields";

const MIB = 1_048_576;
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data; boundary=b";
const post = (body: string, type: string) =>
  new Request("http://gw/", { method: "POST", body, headers: { "content-type": type } });
const part = (name: string, value: string, more = "") =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const numbered = (count: number, one: (index: number) => string) => Array.from({ length: count }, (_, at) => one(at));
const outcome = (request: Request) =>
  readFields(request).then(
    (fields) => Object.keys(fields).length,
    (error) => error.code as string,
  );

describe("fields", () => {
  test("of a repeated name the first text counts, in every kind of form", async () => {
    expect(await readFields(post("a=1&b=2&a=3", FORM))).toEqual({ a: "1", b: "2" });
    const withFile = `${part("a", "x", '; filename="x.txt"')}${part("a", "1")}${part("a", "3")}--b--\r\n`;
    expect(await readFields(post(withFile, MULTIPART))).toEqual({ a: "1" });
    expect(await readFields(post('{"a":1,"__proto__":{"b":2}}', "application/json"))).toMatchObject({ a: 1 });
  });

  test("a thousand are read, and one more is too many", async () => {
    expect(await outcome(post(numbered(1_000, (at) => `n${at}=1`).join("&"), FORM))).toBe(1_000);
    expect(await outcome(post(numbered(1_001, (at) => `n${at}=1`).join("&"), FORM))).toBe("request_too_large");
    const parts = (count: number) => `${numbered(count, (at) => part(`n${at}`, "1")).join("")}--b--\r\n`;
    expect(await outcome(post(parts(1_000), MULTIPART))).toBe(1_000);
    expect(await outcome(post(parts(1_001), MULTIPART))).toBe("request_too_large");
    const json = (count: number) => `{${numbered(count, (at) => `"n${at}":1`).join(",")}}`;
    expect(await outcome(post(json(1_000), "application/json"))).toBe(1_000);
    expect(await outcome(post(json(1_001), "application/json"))).toBe("request_too_large");
  });

  test("of JSON the depth and the number of all values are bounded, and what stands in texts does not count", async () => {
    const nested = (depth: number) => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    expect(await outcome(post(nested(49), "application/json"))).toBe(1);
    expect(await outcome(post(nested(50), "application/json"))).toBe("request_too_large");
    const list = (count: number) => `{"a":[${numbered(count, () => "1").join(",")}]}`;
    expect(await outcome(post(list(9_998), "application/json"))).toBe(1);
    expect(await outcome(post(list(10_000), "application/json"))).toBe("request_too_large");
    const text = JSON.stringify({ a: '[{,"\\'.repeat(20_000) });
    expect(await outcome(post(text, "application/json"))).toBe(1);
    expect(await outcome(post("]".repeat(60), "application/json"))).toBe("invalid_json");
  });

  test("of a query the first of a name counts, or all", () => {
    const query = new URLSearchParams("a=1&b=2&a=3&a=4&__proto__=x");
    expect(queryFields(query, "first")).toEqual(
      Object.fromEntries(Object.entries({ a: "1", b: "2", ["__proto__"]: "x" })),
    );
    expect(queryFields(query, "lists").a).toEqual(["1", "3", "4"]);
  });
});

const filled = (unit: string) => unit.repeat(Math.floor(MIB / unit.length));
const manyNames = (unit: (index: number) => string) => {
  let text = "";
  for (let at = 0; text.length < MIB - 1_200; at += 1) text += unit(at);
  return text;
};
const BODIES: [string, string, string][] = [
  ["names of a form", manyNames((at) => `${at}&`), FORM],
  ["ampersands", filled("&"), FORM],
  ["escapes in one value", `a=${filled("%41").slice(3)}`, FORM],
  ["a thousand long fields", manyNames((at) => `n${at}=${"%2b".repeat(350)}&`).slice(0, -1), FORM],
  ["parts", manyNames((at) => part(String(at), "")), MULTIPART],
  ["boundaries", filled("--b\r\n"), MULTIPART],
  ["headers of one part", `--b\r\n${manyNames((at) => `x-${at}: y\r\n`)}`, MULTIPART],
  [
    "almost boundaries in one part",
    `${part(
      "a",
      manyNames(() => "\r\n--"),
    )}--b--\r\n`,
    MULTIPART,
  ],
  ["brackets", filled("["), "application/json"],
  ["members of an object", `{${manyNames((at) => `"${at}":1,`)}"a":1}`, "application/json"],
  ["members further in", `{"a":{${manyNames((at) => `"${at}":1,`)}"a":1}}`, "application/json"],
  ["backslashes in a text", `{"a":"${filled("\\\\").slice(20)}"}`, "application/json"],
];
test.each(BODIES)("a mebibyte of %s holds nobody else up", async (_what, body, type) => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const latest = async (work: () => Promise<unknown>) => {
    delay.reset();
    delay.enable();
    await new Promise((resolve) => setTimeout(resolve, 30));
    await work();
    await new Promise((resolve) => setTimeout(resolve, 30));
    delay.disable();
    return delay.max / 1e6;
  };
  expect(body.length).toBeLessThanOrEqual(MIB + 1);
  const idleMs = await latest(() => new Promise((resolve) => setTimeout(resolve, 100)));
  // The fastest of several attempts, because other processes on this machine can only slow it down.
  const busyMs: number[] = [];
  for (let attempt = 0; attempt < 4; attempt += 1) busyMs.push(await latest(() => outcome(post(body, type))));
  expect(Math.min(...busyMs)).toBeLessThan(100 + idleMs);
});

test("a body that goes on for ever is left at the limit, whoever reads it", async () => {
  let given = 0;
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        given += 1;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
  const request = () =>
    new Request("http://gw/", {
      method: "POST",
      body: endless(),
      duplex: "half",
      headers: { "content-type": FORM },
    } as never);
  await expect(readBody(request(), MIB)).rejects.toMatchObject({ code: "request_too_large" });
  await expect(readFields(request())).rejects.toMatchObject({ code: "request_too_large" });
  expect(given).toBeLessThan(60);
});
