import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readMultipart, type UploadRules } from "./multipart";

let rules: UploadRules;
beforeAll(async () => {
  rules = { fileFields: ["file"], fileBytes: 100_000, folder: await mkdtemp(join(tmpdir(), "multipart-")) };
});
afterAll(() => rm(rules.folder, { recursive: true }));

const request = (body: BodyInit | ReadableStream, headers: Record<string, string> = {}) =>
  new Request("http://gateway/v1/audio/transcriptions", {
    method: "POST",
    body,
    headers,
    duplex: "half",
  } as RequestInit);

const raw = (text: string, boundary = "b") =>
  request(text, { "content-type": `multipart/form-data; boundary=${boundary}` });

const problemOf = (broken: Request) =>
  readMultipart(broken, rules).then(
    async ({ files }) => {
      for (const { spool } of files) await spool.close();
      return "accepted";
    },
    (error) => error.code ?? error,
  );

function form(...parts: [string, string | Buffer, string?][]): FormData {
  const made = new FormData();
  for (const [name, value, filename] of parts) {
    if (typeof value === "string" && filename === undefined) made.append(name, value);
    else made.append(name, new Blob([value as BlobPart]), filename ?? "a.bin");
  }
  return made;
}

test("the file goes to disk wherever it stands, and the fields keep their order", async () => {
  const bytes = Buffer.from(Array.from({ length: 90_000 }, (_, index) => index % 256));
  const upload = await readMultipart(
    request(form(["a", "1"], ["file", bytes], ["model", "wähler"], ["a", "2"])),
    rules,
  );
  expect(upload.fields).toEqual([
    ["a", "1"],
    ["model", "wähler"],
    ["a", "2"],
  ]);
  expect((await upload.files[0]!.spool.read(0, 100_000)).equals(bytes)).toBe(true);
  await upload.files[0]!.spool.close();
});

test("a form without a file has none, and an empty file is empty", async () => {
  expect((await readMultipart(request(form(["model", "x"])), rules)).files).toEqual([]);
  const { files } = await readMultipart(request(form(["file", Buffer.alloc(0)])), rules);
  expect(files.map(({ spool }) => spool.size)).toEqual([0]);
  await files[0]!.spool.close();
});

describe("a form with several files", () => {
  const several = () => ({ ...rules, fileFields: ["image", "mask"], files: 3 });
  const piece = (byte: number, size: number) => Buffer.alloc(size, byte);

  test("has each of them under its field, in their order", async () => {
    const parts = form(["image", piece(1, 40_000)], ["n", "2"], ["mask", piece(2, 9)], ["image", piece(3, 40_000)]);
    const { fields, files } = await readMultipart(request(parts), several());
    expect(fields).toEqual([["n", "2"]]);
    const read = files.map(async ({ field, spool }) => [field, spool.size, (await spool.read(0, 1))[0]]);
    expect(await Promise.all(read)).toEqual([
      ["image", 40_000, 1],
      ["mask", 9, 2],
      ["image", 40_000, 3],
    ]);
    for (const { spool } of files) await spool.close();
  });

  test.each([
    [
      "more of them than allowed",
      () => form(...[1, 2, 3, 4].map((byte) => ["image", piece(byte, 9)] as [string, Buffer])),
      "invalid_request",
    ],
    ["one under another name", () => form(["image", piece(1, 9)], ["file", piece(2, 9)]), "invalid_request"],
    [
      "more bytes than allowed, all together",
      () => form(...[1, 2, 3].map((byte) => ["image", piece(byte, 600_000)] as [string, Buffer])),
      "request_too_large",
    ],
  ])("%s: refused", async (_name, parts, code) => {
    const asked = readMultipart(request(parts()), { ...several(), fileBytes: 700_000 });
    await expect(asked).rejects.toMatchObject({ code });
  });
});

test("a file of exactly the limit is taken, one byte more is not", async () => {
  expect(await problemOf(request(form(["file", Buffer.alloc(100_000)])))).toBe("accepted");
  expect(await problemOf(request(form(["file", Buffer.alloc(100_001)])))).toBe("request_too_large");
});

describe("refused:", () => {
  test.each([
    ["JSON", () => request("{}", { "content-type": "application/json" }), "unsupported_media_type"],
    ["no content type", () => request(Buffer.from("x")), "unsupported_media_type"],
    ["no boundary", () => request("x", { "content-type": "multipart/form-data; charset=x" }), "invalid_request"],
    [
      "a compressed body",
      () => request("x", { "content-type": "multipart/form-data; boundary=b", "content-encoding": "gzip" }),
      "unsupported_media_type",
    ],
    [
      "an announced giant",
      () => request("x", { "content-type": "multipart/form-data; boundary=b", "content-length": "99999999" }),
      "request_too_large",
    ],
    ["two files", () => request(form(["file", Buffer.alloc(9)], ["file", Buffer.alloc(9)])), "invalid_request"],
    ["a file under another name", () => request(form(["other", Buffer.alloc(9)])), "invalid_request"],
    ["the file as a text", () => request(form(["file", "text"])), "invalid_request"],
    [
      "no final boundary",
      () => raw('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc'),
      "invalid_request",
    ],
    ["an empty body", () => raw(""), "invalid_request"],
    [
      "a field without a name",
      () => raw("--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n"),
      "invalid_request",
    ],
    [
      "10,000 parts",
      () => raw(`${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(10_000)}--b--\r\n`),
      "invalid_request",
    ],
    ["a field of great length", () => request(form(["prompt", "x".repeat(70_000)])), "invalid_request"],
    [
      "a header of great length",
      () => raw(`--b\r\nContent-Disposition: form-data; name="a"; x="${"y".repeat(1_000_000)}"\r\n\r\nx\r\n--b--\r\n`),
      "any",
    ],
  ])("%s", async (_name, broken, code) => {
    const problem = await problemOf(broken());
    if (code === "any") expect(typeof problem).toBe("string");
    else expect(problem).toBe(code);
  });

  test("a body that is longer than it may be, whatever it announces", async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(Buffer.from(sent === 1 ? "--b\r\n" : "x".repeat(65_536)));
      },
    });
    const problem = await problemOf(request(endless, { "content-type": "multipart/form-data; boundary=b" }));
    expect(["request_too_large", "invalid_request"]).toContain(problem);
    expect(sent).toBeLessThan(200);
  });
});
