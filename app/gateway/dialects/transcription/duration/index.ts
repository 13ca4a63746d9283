// gw has its own code here, because it reads a bounded number of bytes of a file. For the comparison with packages see
// docs/decisions/034-libraries-and-own-code.md.
import type { AudioFormat } from "../audio-format";
import { flacSeconds } from "./flac";
import { m4aSeconds } from "./m4a";
import { mp3Seconds } from "./mp3";
import { oggSeconds } from "./ogg";
import type { AudioFile } from "./source";
import { wavSeconds } from "./wav";
import { webmSeconds } from "./webm";

const readers: Readonly<Record<AudioFormat, (file: AudioFile) => Promise<number | null>>> = {
  wav: wavSeconds,
  mp3: mp3Seconds,
  m4a: m4aSeconds,
  flac: flacSeconds,
  ogg: oggSeconds,
  webm: webmSeconds,
};

/** Bytes per second of speech at 64 kbit/s, for files that do not contain their length. */
const USUAL_BYTES_PER_SECOND = 8_000;
/** Minimum bytes per second: no codec of these formats has intelligible speech below 6 kbit/s. */
const FEWEST_BYTES_PER_SECOND = 750;
/** Maximum length. No file of 25 MB lasts longer than a week; a larger value means a damaged file. */
const MAX_MS = 7 * 24 * 3600 * 1000;

/** Length of a file, and its maximum length by size whatever its header claims, in milliseconds. */
export type AudioLength = { milliseconds: number; maxMs: number };

/** Reads a file's length from its container, or estimates it from the file size. Never throws for bad data. */
export async function audioLengthOf(file: AudioFile, format: AudioFormat): Promise<AudioLength> {
  const read = await readers[format](file);
  const claimed = read !== null && Number.isFinite(read) && read > 0 ? Math.ceil(read * 1000) : null;
  const bySize = Math.ceil((file.size / FEWEST_BYTES_PER_SECOND) * 1000);
  const milliseconds = Math.min(MAX_MS, claimed ?? Math.ceil((file.size / USUAL_BYTES_PER_SECOND) * 1000));
  // Every decoder obeys a WAV header; files of other formats can contain more audio than their header states.
  const maxMs = format === "wav" && claimed !== null ? milliseconds : Math.max(milliseconds, Math.min(MAX_MS, bySize));
  return { milliseconds, maxMs };
}
