import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import OpenAI, { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as audio from "../../support/audio";
import { expectCleanBooks } from "../../support/chat-gateway";
import { startGateway } from "../../support/gateway";
import { errorOf, type MediaGateway, startMediaGateway } from "../../support/media-gateway";

let gateway: MediaGateway;
let client: OpenAI;
beforeAll(async () => {
  gateway = await startMediaGateway();
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.budgetKey, maxRetries: 0 });
});
afterAll(() => gateway?.close());

const MB = 1024 * 1024;

function form(fields: Record<string, string>, file?: Buffer, { fileFirst = false, name = "sound" } = {}): FormData {
  const made = new FormData();
  const addFile = () => file && made.append("file", new Blob([file as BlobPart]), name);
  if (fileFirst) addFile();
  for (const [field, value] of Object.entries(fields)) made.append(field, value);
  if (!fileFirst) addFile();
  return made;
}

const hear = (fields: Record<string, string>, file?: Buffer, more: { fileFirst?: boolean; name?: string } = {}) =>
  gateway.post("/v1/audio/transcriptions", form(fields, file, more));

/** Returns a WAV header followed by `size` bytes of noise. */
const noise = (size: number) =>
  Buffer.concat([audio.wav(0.1, { claimedBytes: size }).subarray(0, 44), randomBytes(size - 44)]);

test("the official SDK, unchanged", async () => {
  const file = await toFile(audio.mp3(20), "speech.mp3");
  const { text } = await client.audio.transcriptions.create({ model: "hear", file, language: "de" });
  expect(text).toBe("heard 8340 bytes");
  expect(gateway.supplier.seen.at(-1)).toMatchObject({
    path: "/v1/audio/transcriptions",
    body: { model: "up-hear", language: "de" },
    file: { name: "audio.mp3", type: "audio/mpeg" },
  });
  const srt = await client.audio.transcriptions.create({ model: "hear", file, response_format: "srt" });
  expect(srt).toContain("-->");
  await expect(
    client.audio.transcriptions.create({ model: "hear", file: await toFile(Buffer.from("text"), "a.mp3") }),
  ).rejects.toMatchObject({
    status: 415,
    code: "unsupported_media_type",
  });
});

test.each([
  ["wav", audio.wav(1), "audio/wav"],
  ["mp3", audio.mp3(20, { id3: true }), "audio/mpeg"],
  ["m4a", audio.m4a(1), "audio/mp4"],
  ["flac", audio.flac(1), "audio/flac"],
  ["ogg", audio.ogg(1), "audio/ogg"],
  ["webm", audio.webm(1), "audio/webm"],
])("%s is known by its content, whatever it is called", async (format, bytes, type) => {
  const response = await hear({ model: "hear" }, bytes, { name: "../../evil\n.exe" });
  expect(await response.json()).toMatchObject({ text: `heard ${bytes.length} bytes` });
  expect(gateway.supplier.seen.at(-1)!.file).toMatchObject({ name: `audio.${format}`, type });
});

test("seconds are charged: the supplier's, else the file's own", async () => {
  const told = await hear({ model: "hear" }, audio.wav(3));
  expect(await gateway.booked(told)).toMatchObject({ charged: 300_000n, held: 300_000n, tokenSource: "supplier" });
  const silent = await hear({ model: "hear-silent" }, audio.wav(3));
  expect(await gateway.booked(silent)).toMatchObject({ charged: 300_000n, tokenSource: "estimated" });
  expect(silent.headers.get("x-gw-cost-usd")).toMatch(/^0\.0003/);
  const text = await hear({ model: "hear", response_format: "text" }, audio.flac(2.5));
  expect(text.headers.get("content-type")).toMatch(/^text\/plain/);
  expect(await gateway.booked(text)).toMatchObject({ charged: 250_000n, tokenSource: "estimated" });
});

test("the model is whisper where none is named, and the fields may stand behind the file", async () => {
  expect(await (await hear({}, audio.wav(1))).json()).toMatchObject({ text: "heard 16044 bytes" });
  expect(gateway.supplier.seen.at(-1)!.body.model).toBe("up-whisper-silent");
  const late = await hear({ prompt: "p", model: "hear", language: "EN", region: "eu" }, audio.wav(1), {
    fileFirst: true,
  });
  expect(late.status).toBe(200);
  expect(gateway.supplier.seen.at(-1)!.body).toEqual({ prompt: "p", model: "up-hear", language: "en" });
});

test("another attempt sends the same file again", async () => {
  const file = noise(3 * MB);
  const sha256 = createHash("sha256").update(file).digest("hex");
  const response = await hear({ model: "hear-failover" }, file);
  expect(response.headers.get("x-gw-failover")).toBe("true");
  expect(gateway.supplier.seen.slice(-2).map(({ file }) => file!.sha256)).toEqual([sha256, sha256]);
});

test("25 MB pass, one byte more does not", async () => {
  const maximum = noise(25 * MB);
  const response = await hear({ model: "hear" }, maximum);
  expect(response.status).toBe(200);
  expect(gateway.supplier.seen.at(-1)!.file!.sha256).toBe(createHash("sha256").update(maximum).digest("hex"));
  const above = await hear({ model: "hear" }, noise(25 * MB + 1));
  expect({ status: above.status, code: (await errorOf(above)).code }).toEqual({
    status: 413,
    code: "request_too_large",
  });
});

describe("refused:", () => {
  const sound = audio.wav(0.1);
  test.each([
    ["no file", { model: "hear" }, undefined, 400, "missing_fields"],
    ["an empty file", { model: "hear" }, Buffer.alloc(0), 400, "invalid_request"],
    ["a program", { model: "hear" }, Buffer.from("MZ\x90\x00 this is no sound"), 415, "unsupported_media_type"],
    ["an unknown model", { model: "nothing" }, sound, 404, "model_not_found"],
    ["auto", { model: "auto" }, sound, 400, "unsupported_auto_mode"],
    ["a chat model's name of another kind", { model: "tts" }, sound, 400, "capability_unsupported"],
    ["a language of three letters", { model: "hear", language: "deu" }, sound, 400, "invalid_request"],
    ["a language that does not exist", { model: "hear", language: "xx" }, sound, 400, "invalid_request"],
    ["an unknown answer format", { model: "hear", response_format: "xml" }, sound, 400, "invalid_request"],
    ["a temperature beyond 1", { model: "hear", temperature: "1.5" }, sound, 400, "invalid_request"],
    ["a stream", { model: "hear", stream: "true" }, sound, 400, "unsupported_parameter"],
    ["a region without suppliers", { model: "hear", region: "mars" }, sound, 503, "sovereign_route_unavailable"],
    ["a page for an answer", { model: "hear-html" }, sound, 502, "upstream_invalid_response"],
    ["nothing for an answer", { model: "hear-empty" }, sound, 502, "upstream_invalid_response"],
  ] as const)("%s", async (_name, fields, file, status, code) => {
    const response = await hear(fields, file);
    expect({ status: response.status, code: (await errorOf(response)).code }).toEqual({ status, code });
  });

  test("JSON, and no key", async () => {
    expect((await gateway.post("/v1/audio/transcriptions", { model: "hear" })).status).toBe(415);
    const nobody = await gateway.post("/v1/audio/transcriptions", form({ model: "hear" }, sound), { key: "gw_none" });
    expect(nobody.status).toBe(401);
  });

  test("a form with 100,000 parts, quickly", async () => {
    const started = performance.now();
    const response = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.budgetKey}`, "content-type": "multipart/form-data; boundary=b" },
      body: `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(100_000)}--b--\r\n`,
    });
    expect((await errorOf(response)).code).toBe("invalid_request");
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

test("a client that leaves in the middle of its upload leaves nothing behind", async () => {
  const { port } = new URL(gateway.url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.write(
    `POST /v1/audio/transcriptions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${gateway.budgetKey}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000000\r\n\r\n` +
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
  );
  socket.write(Buffer.alloc(1_000_000));
  await new Promise((resolve) => setTimeout(resolve, 200));
  socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await readdir(join(gateway.dataDir, "uploads"))).toEqual([]);
  expect((await hear({ model: "hear" }, audio.wav(0.1))).status).toBe(200);
});

async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) * 1024;
}

/** Returns the growth of a process's memory during a run, in MB. */
async function riseDuring(pid: number | undefined, run: () => Promise<unknown>): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 500));
  const before = await residentBytes(pid);
  let peak = before;
  let running = true;
  const watching = (async () => {
    for (; running; await new Promise((resolve) => setTimeout(resolve, 5)))
      peak = Math.max(peak, await residentBytes(pid));
  })();
  try {
    await run();
  } finally {
    running = false;
    await watching;
  }
  return (peak - before) / MB;
}

test.runIf(process.platform === "linux")("an upload of 25 MB costs at most 8 MB of memory", async () => {
  for (let warm = 0; warm < 10; warm += 1) await hear({ model: "hear" }, audio.wav(0.2));
  const file = noise(25 * MB);
  for (let round = 0; round < 2; round += 1) {
    const rise = await riseDuring(gateway.process.pid, async () => {
      expect((await hear({ model: "hear" }, file)).status).toBe(200);
    });
    expect(rise).toBeLessThan(8);
  }
});

test("the books are clean, and no open file is left", async () => {
  await expectCleanBooks(gateway);
  if (process.platform !== "linux") return;
  const open = await readdir(`/proc/${gateway.process.pid}/fd`);
  expect(open.length).toBeLessThan(200);
});

test("the sandbox hears", async () => {
  const sandbox = await startGateway();
  try {
    const sdk = new OpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: sandbox.key, maxRetries: 0 });
    const file = await toFile(audio.wav(2), "a.wav");
    // A new process grows during its first calls, so some warm-up calls come first.
    for (let warm = 0; warm < 10; warm += 1) {
      const { text } = await sdk.audio.transcriptions.create({ model: "sandbox-whisper", file });
      expect(text.length).toBeGreaterThan(0);
    }
    const large = await toFile(noise(25 * MB), "a.wav");
    const hearLarge = async () => {
      const heard = await sdk.audio.transcriptions.create({ model: "sandbox-whisper", file: large });
      expect(heard.text.length).toBeGreaterThan(0);
    };
    await hearLarge();
    const rise = await riseDuring(sandbox.process.pid, hearLarge);
    if (process.platform === "linux") expect(rise).toBeLessThan(8);
  } finally {
    await sandbox.close();
  }
});
