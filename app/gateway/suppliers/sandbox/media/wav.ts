import { TimeSlice } from "~/values/time-slice";
import { type Note, PITCHES, SAMPLE_RATE } from "./melody";

const LOWEST_HERTZ = 220;
const AMPLITUDE = 9_000;
/** Samples over which notes fade in and out, to avoid clicks. */
const FADE = 160;
const HEADER_BYTES = 44;
const SAMPLES_AT_ONCE = 10_000;

/** Writes a melody as a WAV file: 16-bit PCM, one channel, with the spoken text in its INFO chunk. */
export async function wavOf(melody: readonly Note[], text: string): Promise<Buffer> {
  const samples = melody.reduce((sum, note) => sum + note.samples, 0);
  const info = infoChunk(text);
  const bytes = Buffer.alloc(HEADER_BYTES + samples * 2 + info.length);
  writeHeader(bytes, samples * 2);
  let at = HEADER_BYTES;
  const slice = new TimeSlice();
  for (const note of melody) {
    if (note.pitch !== null) await writeTone({ bytes, at, samples: note.samples, pitch: note.pitch, slice });
    at += note.samples * 2;
  }
  info.copy(bytes, at);
  return bytes;
}

function writeHeader(bytes: Buffer, dataBytes: number): void {
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8, "latin1");
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(SAMPLE_RATE, 24);
  bytes.writeUInt32LE(SAMPLE_RATE * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write("data", 36, "latin1");
  bytes.writeUInt32LE(dataBytes, 40);
}

/** Computes a sine by recurrence: two operations per sample instead of tens for `Math.sin`. */
async function writeTone({
  bytes,
  at,
  samples,
  pitch,
  slice,
}: {
  bytes: Buffer;
  at: number;
  samples: number;
  pitch: number;
  slice: TimeSlice;
}): Promise<void> {
  const step = (2 * Math.PI * LOWEST_HERTZ * 2 ** (pitch / PITCHES)) / SAMPLE_RATE;
  const turn = 2 * Math.cos(step);
  let before = -Math.sin(step);
  let now = 0;
  for (let sample = 0; sample < samples; sample += 1) {
    const fade = Math.min(1, sample / FADE, (samples - sample) / FADE);
    bytes.writeInt16LE(Math.round(now * AMPLITUDE * fade), at + sample * 2);
    [before, now] = [now, turn * now - before];
    if (sample % SAMPLES_AT_ONCE === 0 && slice.isOver) await slice.next();
  }
}

/** Builds a `LIST INFO ICMT` chunk: a comment that players display and the sandbox's transcription reads. */
function infoChunk(text: string): Buffer {
  const comment = Buffer.from(`${text}\0`);
  const padded = comment.length + (comment.length & 1);
  const chunk = Buffer.alloc(20 + padded);
  chunk.write("LIST", 0, "latin1");
  chunk.writeUInt32LE(12 + padded, 4);
  chunk.write("INFOICMT", 8, "latin1");
  chunk.writeUInt32LE(comment.length, 16);
  comment.copy(chunk, 20);
  return chunk;
}

/** Reads duration and comment of a WAV file, of which some bytes may be omitted; null for any other file. */
export function readWav(bytes: Buffer, omitted = 0): { seconds: number; text: string | null } | null {
  if (bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WAVE") return null;
  let bytesASecond = 0;
  let dataBytes = 0;
  let text: string | null = null;
  let gap = omitted;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString("latin1", at, at + 4);
    const length = Math.min(bytes.readUInt32LE(at + 4), bytes.length + gap - at - 8);
    if (name === "fmt " && length >= 16) bytesASecond = bytes.readUInt32LE(at + 16);
    else if (name === "data") dataBytes += length;
    else if (name === "LIST" && bytes.toString("latin1", at + 8, at + 16) === "INFOICMT" && length >= 12) {
      const end = at + 20 + Math.min(bytes.readUInt32LE(at + 16), length - 12);
      text = bytes.toString("utf8", at + 20, end).replace(/\0+$/, "");
    }
    at += 8 + length + (length & 1);
    if (name !== "data") continue;
    at -= gap;
    gap = 0;
  }
  return { seconds: bytesASecond > 0 ? dataBytes / bytesASecond : 0, text };
}
