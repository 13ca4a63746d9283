import { brotliDecompressSync, createBrotliDecompress, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { acceptedCoding } from "./accept-encoding";
import { compressAnswer } from "./compress-answer";

const asking = (coding: string | null) =>
  new Request("https://gw.example/", coding === null ? {} : { headers: { "accept-encoding": coding } });
const page = (text: string, headers: Record<string, string> = {}, status = 200) =>
  new Response(text, { status, headers: { "content-type": "text/html; charset=utf-8", ...headers } });
const LONG = "<p>words</p>".repeat(500);

describe("a page", () => {
  test.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const)("is written in %s", async (coding, read) => {
    const response = await compressAnswer(asking(coding), page(LONG, { etag: '"abc"', vary: "Cookie" }, 422));
    expect(response.status).toBe(422);
    expect(response.headers.get("content-encoding")).toBe(coding);
    expect(response.headers.get("vary")).toBe("Cookie, Accept-Encoding");
    expect(response.headers.get("etag")).toBe('W/"abc"');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).toBeLessThan(LONG.length / 10);
    expect(read(bytes).toString()).toBe(LONG);
  });

  test("stays as it is where nobody asked, and says that it depends on that", async () => {
    const response = await compressAnswer(asking(null), page(LONG));
    expect(response.headers.get("content-encoding")).toBeNull();
    expect(response.headers.get("vary")).toBe("Accept-Encoding");
    expect(await response.text()).toBe(LONG);
  });

  test("leaves piece by piece", async () => {
    let write!: (text: string) => void;
    let finish!: () => void;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        write = (text) => controller.enqueue(new TextEncoder().encode(text));
        finish = () => controller.close();
      },
    });
    const response = await compressAnswer(
      asking("br"),
      new Response(body, { headers: { "content-type": "text/html" } }),
    );
    const reader = response.body!.getReader();
    const plain = createBrotliDecompress();
    const shown = new Promise((resolve) => plain.once("data", (piece: Buffer) => resolve(piece.toString())));
    write("first");
    plain.write((await reader.read()).value!);
    expect(await shown).toBe("first");
    finish();
    await reader.cancel();
  });

  test("that nobody reads any more is not written any further", async () => {
    let cancelled!: () => void;
    const gone = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(10_000)),
      cancel: () => cancelled(),
    });
    const response = await compressAnswer(
      asking("gzip"),
      new Response(body, { headers: { "content-type": "text/html" } }),
    );
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    await gone;
  });
});

test.each([
  ["br", brotliDecompressSync],
  ["gzip", gunzipSync],
] as const)(
  "a page that says how long it is goes as a whole in %s, with the length that it has then",
  async (coding, read) => {
    const answer = page(LONG, { "content-length": String(LONG.length) });
    const response = await compressAnswer(asking(coding), answer);
    const { value, done } = await response.body!.getReader().read();
    expect(done).toBe(false);
    expect(read(value!).toString()).toBe(LONG);
    expect(response.headers.get("content-length")).toBe(String(value!.byteLength));
  },
);

test.each([
  ["an event stream", new Response(LONG, { headers: { "content-type": "text/event-stream" } })],
  ["a picture", new Response(LONG, { headers: { "content-type": "image/png" } })],
  ["what is compressed", page(LONG, { "content-encoding": "gzip" })],
  ["what asks not to be changed", page(LONG, { "cache-control": "no-cache, no-transform" })],
  ["a short answer", page("short", { "content-length": "5" })],
  ["an answer without a body", new Response(null, { status: 304, headers: { "content-type": "text/html" } })],
])("%s stays as it is", async (_name, response) => {
  expect(await compressAnswer(asking("br, gzip"), response)).toBe(response);
});

test.each([
  [null, null],
  ["", null],
  ["identity", null],
  ["gzip, deflate", "gzip"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip;q=1.0, br;q=0.5", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0, *", "gzip"],
  ["*", "br"],
  ["BR", "br"],
  ["gzip;q=0.4, *;q=0.8", "br"],
  ["br;q=none, gzip", "gzip"],
])("Accept-Encoding %j is answered in %s", (header, coding) => {
  expect(acceptedCoding(header)).toBe(coding);
});

test("an endless Accept-Encoding is not read", () => {
  expect(acceptedCoding(`${"x, ".repeat(5_000)}br`)).toBeNull();
});
