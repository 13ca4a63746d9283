import {
  closeSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { OpenApiDocument } from "~/openapi/shared";

/** One answer of a server under test. `body`: the bytes in base64, only for JSON; null also if `isWhole` is false. */
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
// The description is stored next to the build that it describes, so that each run requests it once.
const BUILD = "build/server/index.js";
const KEPT = "build/.gw-described.json";

type Kept = { build: number; document: OpenApiDocument };

const recordings: { file: string; read: number }[] = [];
let folder: string | null = null;
let description: OpenApiDocument | null = null;

/** Returns the environment variables that make a server record its answers for `takeAnswers`. */
export function recordingEnvironment(): Record<string, string> {
  folder ??= mkdtempSync(join(tmpdir(), "gw-answers-"));
  const file = join(folder, `${recordings.length}.jsonl`);
  writeFileSync(file, "");
  recordings.push({ file, read: 0 });
  return { TEST_ANSWERS_FILE: file, NODE_OPTIONS: `--import=${RECORDER}` };
}

/** Returns the answers of this file's servers since the last call. */
export function takeAnswers(): RecordedAnswer[] {
  return recordings.flatMap((recording) => {
    const bytes = bytesFrom(recording.file, recording.read);
    const lines = bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
    recording.read += lines.length;
    return lines
      .toString("utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as RecordedAnswer);
  });
}

/** Reads a file from an offset, so that a long file is not read from its beginning after each test. */
function bytesFrom(file: string, start: number): Buffer {
  const opened = openSync(file, "r");
  try {
    const bytes = Buffer.allocUnsafe(fstatSync(opened).size - start);
    return bytes.subarray(0, readSync(opened, bytes, 0, bytes.length, start));
  } finally {
    closeSync(opened);
  }
}

/** Removes the recordings. */
export function endRecordings(): void {
  recordings.length = 0;
  if (folder) rmSync(folder, { recursive: true, force: true });
  folder = null;
}

/** Requests the OpenAPI description of the built server, once for each build. */
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

/** Returns the description, or null before `learnDescription`. */
export const learntDescription = (): OpenApiDocument | null => description;
