// gw has its own code here and in `duration`, because packages take too long on hostile files. See
// docs/decisions/034-libraries-and-own-code.md.

/** Accepted audio formats by file extension, with their media types. */
export const AUDIO_FORMATS = {
  wav: "audio/wav",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  flac: "audio/flac",
  ogg: "audio/ogg",
  webm: "audio/webm",
} as const;

export type AudioFormat = keyof typeof AUDIO_FORMATS;

/** Bytes at the start of a file that are enough to detect its format. */
export const HEAD_BYTES = 16 * 1024;

/**
 * Detects the format from a file's content, because its name and declared type may be wrong. Null for other formats.
 */
export function audioFormatOf(head: Buffer): AudioFormat | null {
  const tag = (at: number, length = 4) => head.toString("latin1", at, at + length);
  if ((tag(0) === "RIFF" || tag(0) === "RF64") && tag(8) === "WAVE") return "wav";
  if (tag(0) === "fLaC") return "flac";
  if (tag(0) === "OggS" && head[4] === 0) return "ogg";
  if (tag(4) === "ftyp" && M4A_BRANDS.has(tag(8))) return "m4a";
  if (head.length > 4 && head.readUInt32BE(0) === 0x1a45dfa3 && isWebm(head)) return "webm";
  if (isId3(head) || isMp3(head)) return "mp3";
  return null;
}

const M4A_BRANDS = new Set(["M4A ", "M4B ", "mp41", "mp42", "isom", "iso2", "iso4", "iso5", "iso6", "dash", "MSNV"]);

/** Checks the document type in the EBML header, which distinguishes WebM from other Matroska files. */
const isWebm = (head: Buffer) => /\x42\x82[\x84\x88]webm/.test(head.toString("latin1", 0, 128));

/** Whether a file starts with an ID3v2 tag: a known version, and a size in seven-bit bytes. */
const isId3 = (head: Buffer) =>
  head.length >= 10 &&
  head.toString("latin1", 0, 3) === "ID3" &&
  head[3]! >= 2 &&
  head[3]! <= 4 &&
  head.subarray(6, 10).every((byte) => byte < 0x80);

/**
 * Whether a file starts with a frame header that is followed by a second one at the end of the first frame. A single
 * header is not enough, because many files contain eleven set bits.
 */
function isMp3(head: Buffer): boolean {
  const first = mp3Frame(head, 0);
  if (first === null) return false;
  return first.bytes + 4 > head.length ? head.length < HEAD_BYTES : mp3Frame(head, first.bytes) !== null;
}

export type Mp3Frame = { bytes: number; bitsPerSecond: number; sampleRate: number; samples: number; sideBytes: number };

const BIT_RATES = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const SAMPLE_RATES = [44_100, 48_000, 32_000] as const;

/**
 * Reads the header of an MPEG audio layer III frame; null if there is none at the offset. Rejects free-format streams.
 */
export function mp3Frame(bytes: Buffer, at: number): Mp3Frame | null {
  if (at + 4 > bytes.length) return null;
  const header = bytes.readUInt32BE(at);
  const version = (header >>> 19) & 3;
  const rate = (header >>> 12) & 15;
  const frequency = (header >>> 10) & 3;
  const isLayer3 = header >>> 21 === 0x7ff && ((header >>> 17) & 3) === 1;
  if (!isLayer3 || version === 1 || rate === 0 || rate === 15 || frequency === 3) return null;
  const isMpeg1 = version === 3;
  const bitsPerSecond = BIT_RATES[isMpeg1 ? "mpeg1" : "mpeg2"][rate]! * 1000;
  const sampleRate = SAMPLE_RATES[frequency]! >> (isMpeg1 ? 0 : version === 2 ? 1 : 2);
  const samples = isMpeg1 ? 1152 : 576;
  const isMono = ((header >>> 6) & 3) === 3;
  const sideBytes = isMpeg1 ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  const padding = (header >>> 9) & 1;
  return {
    bytes: Math.floor((samples / 8) * (bitsPerSecond / sampleRate)) + padding,
    bitsPerSecond,
    sampleRate,
    samples,
    sideBytes,
  };
}
