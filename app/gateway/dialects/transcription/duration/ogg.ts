import type { AudioFile } from "./source";

/** Bytes at the end of a file that contain its last page; a page has at most 65,307 bytes. */
const TAIL_BYTES = 65_536;

/** Returns the seconds of an Ogg file: the position in its last page, divided by the sample rate in its first page. */
export async function oggSeconds(file: AudioFile): Promise<number | null> {
  const head = await file.read(0, 512);
  const clock = head.length < 28 ? null : clockOf(head.subarray(27 + head[26]!));
  if (clock === null) return null;
  const serial = head.readUInt32LE(14);
  const tail = await file.read(Math.max(0, file.size - TAIL_BYTES), TAIL_BYTES);
  for (let at = tail.lastIndexOf("OggS"); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf("OggS", at - 1)) {
    if (at + 27 > tail.length || tail.readUInt32LE(at + 14) !== serial) continue;
    const position = tail.readBigInt64LE(at + 6);
    // -1: no packet ends on this page.
    if (position >= 0n) return Math.max(0, Number(position) - clock.skip) / clock.rate;
  }
  return null;
}

function clockOf(packet: Buffer): { rate: number; skip: number } | null {
  const name = packet.toString("latin1", 0, 8);
  // Opus positions are in units of 48 kHz, whatever the input's sample rate.
  if (name === "OpusHead" && packet.length >= 12) return { rate: 48_000, skip: packet.readUInt16LE(10) };
  if (name.startsWith("\x01vorbis") && packet.length >= 16) return rated(packet.readUInt32LE(12));
  if (name.startsWith("\x7fFLAC") && packet.length >= 30) return rated(packet.readUIntBE(27, 3) >>> 4);
  if (name.startsWith("Speex   ") && packet.length >= 40) return rated(packet.readUInt32LE(36));
  return null;
}

const rated = (rate: number) => (rate > 0 ? { rate, skip: 0 } : null);
