import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { mp3, wav } from "./audio";

/** One request as received by the supplier. */
type Seen = {
  path: string;
  headers: IncomingMessage["headers"];
  body: Record<string, unknown>;
  /** The file of an upload, with its size and SHA-256. */
  file: { name: string; type: string; size: number; sha256: string } | null;
  /** Field name and file name of each file of an upload. */
  files: readonly string[];
  /** Whether the client disconnected before the answer was complete. */
  cut: boolean;
};

export type MediaSupplier = { url: string; seen: Seen[]; close(): Promise<void> };

/**
 * A supplier of embeddings, ranks, moderation, images, speech and transcription in this process. The upstream model's
 * name selects its behaviour: `-503` and other statuses reject the request; `-base64`, `-floats`, `-silent` (no usage),
 * `-html`, `-empty`, `-cut`, `-slow`, `-insane` change or damage the answer.
 */
export async function startMediaSupplier(): Promise<MediaSupplier> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void answer(request, response, seen).catch((error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, seen: Seen[]): Promise<void> {
  const { body, file, files } = await bodyOf(request);
  const entry: Seen = { path: request.url ?? "", headers: request.headers, body, file, files, cut: false };
  seen.push(entry);
  response.on("close", () => (entry.cut = !response.writableFinished));
  const model = String(body.model);
  const status = /-([45]\d\d)\b/.exec(model)?.[1];
  if (status) return json(response, { error: { code: "stand_in", message: "As you asked." } }, Number(status));
  if (model.includes("-html")) return void response.setHeader("content-type", "text/html").end("<html>sorry</html>");
  if (model.includes("-empty")) return void response.end();
  const route = entry.path.replace(/^\/v1/, "");
  if (route === "/embeddings") return json(response, embeddings(body, model));
  if (route === "/rerank") return json(response, rerank(body, model));
  if (route === "/moderations") return json(response, moderation(body, model));
  if (route === "/images/generations" || route === "/images/edits") return json(response, images(body, model));
  if (route === "/audio/speech") return speech(response, body, model);
  if (route === "/audio/transcriptions" || route === "/audio/translations")
    return transcription(response, body, model, file?.size ?? 0);
  json(response, { error: { message: "no such path" } }, 404);
}

async function bodyOf(request: IncomingMessage): Promise<Pick<Seen, "body" | "file" | "files">> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/")) return { body: JSON.parse(bytes.toString()), file: null, files: [] };
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData();
  const entries = [...form.entries()];
  const isFile = (entry: [string, unknown]): entry is [string, File] => typeof entry[1] !== "string";
  const sent = entries.filter(isFile);
  const [, file] = sent[0]!;
  const content = Buffer.from(await file.arrayBuffer());
  const sha256 = createHash("sha256").update(content).digest("hex");
  const fields = entries.filter((entry) => !isFile(entry));
  return {
    body: Object.fromEntries(fields),
    file: { name: file.name, type: file.type, size: content.length, sha256 },
    files: sent.map(([field, { name }]) => `${field} ${name}`),
  };
}

function embeddings(body: Record<string, unknown>, model: string): object {
  const inputs = Array.isArray(body.input) ? body.input : [body.input];
  const asBase64 = model.includes("-base64") || (body.encoding_format === "base64" && !model.includes("-floats"));
  const data = inputs.map((input, index) => {
    const vector = Float32Array.from([String(input).length, 0.5, -1.25, index]);
    const embedding = asBase64 ? Buffer.from(vector.buffer).toString("base64") : [...vector];
    return { object: "embedding", index, embedding };
  });
  const total = model.includes("-insane") ? -5 : inputs.length * 7;
  const usage = model.includes("-silent") ? {} : { usage: { prompt_tokens: total, total_tokens: total } };
  return { object: "list", data: data.reverse(), model, ...usage };
}

function rerank({ documents }: Record<string, unknown>, model: string): object {
  const results = (documents as string[]).map((text, index) => ({ index, relevance_score: 1 / (1 + text.length) }));
  const searches = Math.ceil(results.length / 100);
  return model.includes("-silent")
    ? { results }
    : { id: "r-1", results, meta: { billed_units: { search_units: searches } } };
}

function moderation({ input }: Record<string, unknown>, model: string): object {
  const texts = Array.isArray(input) && typeof input[0] === "string" ? input : [input];
  const results = texts.map((text) => {
    const flagged = JSON.stringify(text).includes("kill");
    return { flagged, categories: { violence: flagged }, category_scores: { violence: flagged ? 0.9 : 0.01 } };
  });
  return { id: "modr-1", model, results: model.includes("-few") ? results.slice(1) : results };
}

function images({ n = 1 }: Record<string, unknown>, model: string): object {
  const data = Array.from({ length: Number(n) }, () => ({ b64_json: "iVBORw0KGgo=" }));
  const usage = { input_tokens: 9, output_tokens: model.includes("-insane") ? -1 : 272 * data.length };
  return { created: 1, data, ...(model.includes("-silent") ? {} : { usage }) };
}

function speech(response: ServerResponse, body: Record<string, unknown>, model: string): void {
  const sound = body.response_format === "wav" ? wav(20) : mp3(900);
  response.setHeader("content-type", body.response_format === "wav" ? "audio/wav" : "audio/mpeg");
  const half = sound.length >> 1;
  response.write(sound.subarray(0, half));
  if (model.includes("-cut")) setTimeout(() => response.destroy(), 100);
  else if (model.includes("-slow")) setTimeout(() => response.end(sound.subarray(half)), 20_000).unref();
  else response.end(sound.subarray(half));
}

function transcription(response: ServerResponse, body: Record<string, unknown>, model: string, size: number): void {
  const format = body.response_format ?? "json";
  if (format === "json" || format === "verbose_json") {
    const usage = model.includes("-silent") ? {} : { usage: { type: "duration", seconds: 12 } };
    json(response, { text: `heard ${size} bytes`, ...usage });
    return;
  }
  response.setHeader("content-type", "text/plain");
  response.end("1\n00:00:00,000 --> 00:00:01,000\nheard\n");
}

const json = (response: ServerResponse, answer: object, status = 200) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
