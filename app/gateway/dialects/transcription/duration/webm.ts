import type { AudioFile } from "./source";

const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const CLUSTER = 0x1f43b675;
const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const TIMESTAMP = 0xe7;

const MAX_ELEMENTS = 64;
/** Bytes at the end of a file that contain a cluster; a recorder writes one at least every 30 seconds. */
const TAIL_BYTES = 512 * 1024;

/**
 * Returns the seconds of a WebM file: from its header or, if a recorder wrote the file as a stream without a duration,
 * from the start of its last cluster.
 */
export async function webmSeconds(file: AudioFile): Promise<number | null> {
  let scale = 1_000_000;
  let duration: number | null = null;
  await walk({ file, from: 0, to: file.size }, async (id, start, end) => {
    if (id !== SEGMENT) return "next";
    await walk({ file, from: start, to: end }, async (child, from, to) => {
      if (child === CLUSTER) return "stop";
      if (child !== INFO) return "next";
      await walk({ file, from, to }, async (field, at, until) => {
        const bytes = await file.read(at, Math.min(8, until - at));
        if (field === TIMESTAMP_SCALE && bytes.length > 0) scale = bytes.readUIntBE(0, Math.min(6, bytes.length));
        if (field === DURATION) duration = floatOf(bytes);
        return "next";
      });
      return "stop";
    });
    return "stop";
  });
  const ticks = duration ?? (await lastCluster(file));
  const seconds = ticks === null ? null : (ticks * scale) / 1e9;
  return seconds !== null && Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

const floatOf = (bytes: Buffer): number | null =>
  bytes.length === 4 ? bytes.readFloatBE(0) : bytes.length === 8 ? bytes.readDoubleBE(0) : null;

async function lastCluster(file: AudioFile): Promise<number | null> {
  const tail = await file.read(Math.max(0, file.size - TAIL_BYTES), TAIL_BYTES);
  const mark = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);
  for (let at = tail.lastIndexOf(mark); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(mark, at - 1)) {
    const size = variable(tail, at + 4);
    const field = size === null ? null : at + 4 + size.length;
    if (field === null || tail[field] !== TIMESTAMP) continue;
    const length = (tail[field + 1] ?? 0) & 0x7f;
    if (length < 1 || length > 6 || field + 2 + length > tail.length) continue;
    return tail.readUIntBE(field + 2, length);
  }
  return null;
}

type Visit = (id: number, start: number, end: number) => Promise<"next" | "stop">;

/** Visits the elements between two positions. An element of unknown size extends to the end. */
async function walk({ file, from, to }: { file: AudioFile; from: number; to: number }, visit: Visit): Promise<void> {
  for (let at = from, elements = 0; elements < MAX_ELEMENTS && at + 2 <= to; elements += 1) {
    const header = await file.read(at, 12);
    const idLength = lengthOf(header[0] ?? 0, 4);
    const size = idLength === null ? null : variable(header, idLength);
    if (idLength === null || size === null || header.length < idLength) return;
    const start = at + idLength + size.length;
    const end = size.value === null ? to : Math.min(start + size.value, to);
    if ((await visit(header.readUIntBE(0, idLength), start, end)) === "stop") return;
    at = end;
  }
}

/** Reads a number with its length encoded in the first byte; all ones means unknown. */
function variable(bytes: Buffer, at: number): { value: number | null; length: number } | null {
  const length = lengthOf(bytes[at] ?? 0, 8);
  if (length === null || at + length > bytes.length) return null;
  let value = bytes[at]! & (0xff >> length);
  let allOnes = value === 0xff >> length;
  for (let index = 1; index < length; index += 1) {
    value = value * 256 + bytes[at + index]!;
    allOnes &&= bytes[at + index] === 0xff;
  }
  return { value: allOnes ? null : value, length };
}

function lengthOf(first: number, maximum: number): number | null {
  const length = Math.clz32(first) - 23;
  return length >= 1 && length <= maximum ? length : null;
}
