import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Route } from "~/domain/catalogue/shared";
import { Spool } from "~/http/body/spool";
import type { InferenceRequest } from "../../canonical/inference-request";
import { forwardTranscription } from "./forward";
import type { TranscriptionSource } from "./read";

let folder: string;
let file: Spool;
const bytes = Buffer.from(Array.from({ length: 400_000 }, (_, index) => (index * 7) % 256));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "forward-"));
  file = await Spool.open(folder);
  await file.append(bytes);
});
afterAll(async () => {
  await file.close();
  await rm(folder, { recursive: true });
});

test("the form for the supplier can be read again for every attempt, and says its length", async () => {
  const fields = [
    ["language", "de"],
    ['odd"name\r\nX-Evil: 1', "välue"],
    ["timestamp_granularities[]", "word"],
    // Lists and members of a steering field are removed like the field itself.
    ["api_base", "https://elsewhere.example"],
    ["api_base[]", "https://elsewhere.example"],
    ["extra_headers[x-a]", "b"],
  ] as const;
  const source = { file, format: "mp3", fields } as unknown as TranscriptionSource;
  const body = forwardTranscription(
    { source } as InferenceRequest<TranscriptionSource>,
    { upstreamModel: "up-1", supplier: { kind: "chat" } } as Route,
  );
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const pieces: Buffer[] = [];
    for await (const piece of body.open()) pieces.push(Buffer.from(piece));
    const whole = Buffer.concat(pieces);
    expect(whole.length).toBe(body.contentLength);
    const form = await new Response(whole, { headers: { "content-type": body.contentType } }).formData();
    expect([...form.keys()]).toEqual([
      "model",
      "language",
      'odd"name\r\nX-Evil: 1',
      "timestamp_granularities[]",
      "file",
    ]);
    expect(form.get("model")).toBe("up-1");
    expect(form.get('odd"name\r\nX-Evil: 1')).toBe("välue");
    const sent = form.get("file") as File;
    expect(sent.name).toBe("audio.mp3");
    expect(sent.type).toBe("audio/mpeg");
    expect(Buffer.from(await sent.arrayBuffer()).equals(bytes)).toBe(true);
  }
});
