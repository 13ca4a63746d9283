import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { OpenApiDocument } from "~/openapi/shared";

/** One answer of a server under test. `body`: its bytes in base64, of JSON only; null also where `isWhole` is false. */
export type RecordedAnswer = {
  method: string;
  url: string;
  status: number;
  type: string;
  encoding: string;
  isWhole: boolean;
  body: string | null;
};

const RECORDER = pathToFileURL(join(import.meta.dirname, "record-answers.mjs")).href;
// Beside the build that it describes, so that a run asks for it once.
const BUILD = "build/server/index.js";
const KEPT = "build/.gw-described.json";

type Kept = { build: number; document: OpenApiDocument };

const recordings: { file: string; read: number }[] = [];
let folder: string | null = null;
let description: OpenApiDocument | null = null;

/** The environment under which a server writes its answers down for `takeAnswers`. */
export function recordingEnvironment(): Record<string, string> {
  folder ??= mkdtempSync(join(tmpdir(), "gw-answers-"));
  const file = join(folder, `${recordings.length}.jsonl`);
  writeFileSync(file, "");
  recordings.push({ file, read: 0 });
  return { TEST_ANSWERS_FILE: file, NODE_OPTIONS: `--import=${RECORDER}` };
}

/** What the servers of this file have answered since the last call. */
export function takeAnswers(): RecordedAnswer[] {
  return recordings.flatMap((recording) => {
    const text = readFileSync(recording.file, "utf8");
    const lines = text.slice(recording.read, text.lastIndexOf("\n") + 1);
    recording.read += lines.length;
    return lines
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as RecordedAnswer);
  });
}

/** Removes what was written down. */
export function endRecordings(): void {
  recordings.length = 0;
  if (folder) rmSync(folder, { recursive: true, force: true });
  folder = null;
}

/** What the built server says about itself, asked for once for each build. */
export async function learnDescription(url: string): Promise<void> {
  if (description) return;
  const build = statSync(BUILD).mtimeMs;
  const kept = existsSync(KEPT) ? (JSON.parse(readFileSync(KEPT, "utf8")) as Kept) : null;
  if (kept?.build === build) {
    description = kept.document;
    return;
  }
  description = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  writeFileSync(`${KEPT}.${process.pid}`, JSON.stringify({ build, document: description }));
  renameSync(`${KEPT}.${process.pid}`, KEPT);
}

/** The description, once a server of this file has been asked for it. */
export const learntDescription = (): OpenApiDocument | null => description;
