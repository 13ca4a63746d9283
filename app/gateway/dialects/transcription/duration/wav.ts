import type { AudioFile } from "./source";

const PCM = new Set([1, 3, 0xfffe]);
const MAX_CHUNKS = 64;

/** Returns the seconds of a WAV file: data bytes divided by bytes per second; counts at most the bytes in the file. */
export async function wavSeconds(file: AudioFile): Promise<number | null> {
  let bytesPerSecond = 0;
  for (let at = 12, chunks = 0; chunks < MAX_CHUNKS && at + 8 <= file.size; chunks += 1) {
    const header = await file.read(at, 32);
    const name = header.toString("latin1", 0, 4);
    const size = header.readUInt32LE(4);
    if (name === "fmt " && header.length >= 24) {
      const isPcm = PCM.has(header.readUInt16LE(8));
      // PCM decoders use rate and block size, and ignore the redundant field of bytes per second.
      bytesPerSecond = isPcm ? header.readUInt32LE(12) * header.readUInt16LE(20) : header.readUInt32LE(16);
    } else if (name === "data") {
      // A file that was written as a stream has the size 0 or 2^32 - 1.
      const rest = file.size - at - 8;
      const bytes = size === 0 || size > rest ? rest : size;
      return bytesPerSecond > 0 ? bytes / bytesPerSecond : null;
    }
    at += 8 + size + (size % 2);
  }
  return null;
}
