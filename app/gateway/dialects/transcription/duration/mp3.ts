import { type Mp3Frame, mp3Frame } from "../audio-format";
import type { AudioFile } from "./source";

/** Maximum bytes after a tag that are searched for the first frame. */
const SEARCHED_BYTES = 64 * 1024;

/** Returns the seconds of an MP3 file from the encoder's frame count, else from the first frame's bit rate. */
export async function mp3Seconds(file: AudioFile): Promise<number | null> {
  const start = tagBytes(await file.read(0, 10));
  const bytes = await file.read(start, SEARCHED_BYTES);
  for (let at = 0; at + 4 <= bytes.length; at += 1) {
    const frame = mp3Frame(bytes, at);
    if (frame === null) continue;
    const next = at + frame.bytes;
    // The last frame has no successor that could confirm it.
    if (next + 4 <= bytes.length && mp3Frame(bytes, next) === null) continue;
    const frames = frameCount(bytes, at, frame);
    return frames === null
      ? ((file.size - start - at) * 8) / frame.bitsPerSecond
      : (frames * frame.samples) / frame.sampleRate;
  }
  return null;
}

function tagBytes(head: Buffer): number {
  if (head.length < 10 || head.toString("latin1", 0, 3) !== "ID3") return 0;
  const size = (head[6]! << 21) | (head[7]! << 14) | (head[8]! << 7) | head[9]!;
  return 10 + size + (head[5]! & 0x10 ? 10 : 0);
}

function frameCount(bytes: Buffer, at: number, frame: Mp3Frame): number | null {
  const xing = at + 4 + frame.sideBytes;
  const name = bytes.toString("latin1", xing, xing + 4);
  if ((name === "Xing" || name === "Info") && xing + 12 <= bytes.length && bytes.readUInt32BE(xing + 4) & 1) {
    return bytes.readUInt32BE(xing + 8);
  }
  const vbri = at + 36;
  if (bytes.toString("latin1", vbri, vbri + 4) === "VBRI" && vbri + 18 <= bytes.length) {
    return bytes.readUInt32BE(vbri + 14);
  }
  return null;
}
