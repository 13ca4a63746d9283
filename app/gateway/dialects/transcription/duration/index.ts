// Own code on purpose: it reads a bounded number of bytes of a file; docs/decisions/034-libraries-and-own-code.md has
// the comparison.
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

/** Speech at 64 kbit/s, where a file does not say how long it is. */
const USUAL_BYTES_PER_SECOND = 8_000;
/** No codec of these formats makes intelligible speech out of less than 6 kbit/s. */
const FEWEST_BYTES_PER_SECOND = 750;
/** Nothing of 25 MB lasts longer than a week; what says so is damaged. */
const MAX_MS = 7 * 24 * 3600 * 1000;

/** How long a file is, and how long it could be at most whatever its header claims, in milliseconds. */
export type AudioLength = { milliseconds: number; mostMs: number };

/** Reads a file's length from its container; from its size where the container does not say. Never throws for bad data. */
export async function audioLengthOf(file: AudioFile, format: AudioFormat): Promise<AudioLength> {
  const read = await readers[format](file);
  const claimed = read !== null && Number.isFinite(read) && read > 0 ? Math.ceil(read * 1000) : null;
  const bySize = Math.ceil((file.size / FEWEST_BYTES_PER_SECOND) * 1000);
  const milliseconds = Math.min(MAX_MS, claimed ?? Math.ceil((file.size / USUAL_BYTES_PER_SECOND) * 1000));
  // A WAV header is what every decoder goes by; the other formats can hold more than their header says.
  const mostMs = format === "wav" && claimed !== null ? milliseconds : Math.max(milliseconds, Math.min(MAX_MS, bySize));
  return { milliseconds, mostMs };
}
