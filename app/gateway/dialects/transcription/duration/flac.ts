import type { AudioFile } from "./source";

/**
 * Returns the seconds of a FLAC file from its first block, which is mandatory; null if the encoder did not know them.
 */
export async function flacSeconds(file: AudioFile): Promise<number | null> {
  const bytes = await file.read(0, 26);
  if (bytes.length < 26 || (bytes[4]! & 0x7f) !== 0) return null;
  const sampleRate = bytes.readUIntBE(18, 3) >>> 4;
  const samples = (bytes[21]! & 0x0f) * 2 ** 32 + bytes.readUInt32BE(22);
  return sampleRate > 0 && samples > 0 ? samples / sampleRate : null;
}
