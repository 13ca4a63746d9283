import type { AudioFile } from "./source";

const MAX_BOXES = 256;

/** Returns the seconds of an M4A file from its movie header; null for a fragmented file, which has no total. */
export async function m4aSeconds(file: AudioFile): Promise<number | null> {
  const movie = await findBox({ file, name: "moov", from: 0, to: file.size });
  if (movie === null) return null;
  const header = await findBox({ file, name: "mvhd", from: movie.start, to: movie.end });
  if (header === null) return null;
  const bytes = await file.read(header.start, 32);
  if (bytes.length < 32) return null;
  const isLong = bytes[0] === 1;
  const scale = bytes.readUInt32BE(isLong ? 20 : 12);
  const duration = isLong ? Number(bytes.readBigUInt64BE(24)) : bytes.readUInt32BE(16);
  return scale > 0 && duration > 0 && duration !== 0xffffffff ? duration / scale : null;
}

async function findBox({
  file,
  name,
  from,
  to,
}: {
  file: AudioFile;
  name: string;
  from: number;
  to: number;
}): Promise<{ start: number; end: number } | null> {
  for (let at = from, boxes = 0; boxes < MAX_BOXES && at + 8 <= to; boxes += 1) {
    const header = await file.read(at, 16);
    if (header.length < 8) return null;
    let size = header.readUInt32BE(0);
    let start = at + 8;
    if (size === 1 && header.length === 16) {
      size = Number(header.readBigUInt64BE(8));
      start = at + 16;
    } else if (size === 0) size = to - at;
    if (size < start - at) return null;
    if (header.toString("latin1", 4, 8) === name) return { start, end: Math.min(at + size, to) };
    at += size;
  }
  return null;
}
