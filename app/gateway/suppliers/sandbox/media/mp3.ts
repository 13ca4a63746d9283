import { TimeSlice } from "~/values/time-slice";
import { type Note, PITCHES, SAMPLE_RATE } from "./melody";

/*
 * MPEG-2 audio layer III, one channel at 16 kHz and 32 kbit/s, written without an encoder: a tone of constant pitch is
 * one spectral line of constant size in every frame. If the sign of the line alternates in the right rhythm, the
 * overlapping transforms of two neighbouring frames add up to a sine without a break.
 */
const SAMPLES_A_FRAME = 576;
const FRAME_BYTES = 144;
const HEADER = Buffer.from([0xff, 0xf3, 0x48, 0xc4]);
const SIDE_BYTES = 9;
/** Volume of a line of size one; adding 4 doubles it. */
const GAIN = 204;

/** Spectral lines in the middle of a subband, where the filter bank produces no alias of them: 13.9 Hz apart. */
const LINES = [22, 23, 24, 25, 26, 27, 28, 29, 30, 40, 41, 42, 43, 44, 45, 46];

/** A melody as an MP3 file, with the spoken text in its ID3 tag. */
export async function mp3Of(melody: readonly Note[], text: string): Promise<Buffer> {
  const frames: Buffer[] = [id3Tag(text)];
  let remaining = 0;
  const slice = new TimeSlice();
  for (const { samples, pitch } of melody) {
    remaining += samples;
    for (let frame = 0; remaining >= SAMPLES_A_FRAME; frame += 1) {
      frames.push(frameOf(pitch === null ? null : LINES[pitch % PITCHES]!, frame));
      remaining -= SAMPLES_A_FRAME;
      if (slice.isOver) await slice.next();
    }
  }
  // Decoders output a frame's sound with the next frame.
  frames.push(frameOf(null, 0), frameOf(null, 1));
  return Buffer.concat(frames);
}

function frameOf(line: number | null, position: number): Buffer {
  const frame = Buffer.alloc(FRAME_BYTES);
  HEADER.copy(frame);
  if (line === null) return frame;
  const bits = new BitWriter(frame);
  const pair = line >> 1;
  // Main data: zeros up to the line ("1" for a pair of them in table 1), then the line with its sign.
  bits.at = (HEADER.length + SIDE_BYTES) * 8;
  const start = bits.at;
  for (let zero = 0; zero < pair; zero += 1) bits.write(1, 1);
  if (line % 2 === 0) bits.write(0b01, 2);
  else bits.write(0b001, 3);
  bits.write(isNegative(line, position) ? 1 : 0, 1);
  const length = bits.at - start;
  bits.at = HEADER.length * 8;
  bits.write(0, 8); // main_data_begin: each frame carries its own data
  bits.write(0, 1); // private
  bits.write(length, 12); // part2_3_length
  bits.write(pair + 1, 9); // big_values
  bits.write(GAIN, 8);
  bits.write(0, 9); // scalefac_compress: no scale factors
  bits.write(0, 1); // long blocks
  for (let region = 0; region < 3; region += 1) bits.write(1, 5); // Huffman table 1 in all regions
  bits.write(13, 4); // region0_count and region1_count: together the 22 bands of long blocks
  bits.write(7, 3);
  bits.write(0, 2); // scalefac_scale, count1table_select
  return frame;
}

/**
 * A line's phase advances by a quarter turn plus half turns per frame: two frames of one sign, then two of the other.
 */
const isNegative = (line: number, position: number) => ((position >> 1) + (line % 2 === 0 ? 0 : position)) % 2 === 1;

class BitWriter {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  write(value: number, bits: number): void {
    for (let bit = bits - 1; bit >= 0; bit -= 1) {
      if ((value >> bit) & 1) this.#bytes[this.at >> 3]! |= 0x80 >> (this.at & 7);
      this.at += 1;
    }
  }
}

/**
 * Builds an ID3v2.4 tag with one `COMM` frame in UTF-8: a comment that players display and the sandbox's transcription
 * reads.
 */
function id3Tag(text: string): Buffer {
  const content = Buffer.concat([Buffer.from([3]), Buffer.from("eng\0"), Buffer.from(text)]);
  const frame = Buffer.concat([Buffer.from("COMM"), sevenBits(content.length), Buffer.from([0, 0]), content]);
  return Buffer.concat([Buffer.from("ID3"), Buffer.from([4, 0, 0]), sevenBits(frame.length), frame]);
}

const sevenBits = (value: number) => Buffer.from([21, 14, 7, 0].map((shift) => (value >> shift) & 0x7f));
const fromSevenBits = (bytes: Buffer, at: number) =>
  bytes.subarray(at, at + 4).reduce((value, byte) => value * 128 + (byte & 0x7f), 0);

/** Reads duration and comment of an MP3 file that the sandbox wrote; null for all others. */
export function readOwnMp3(bytes: Buffer, omitted = 0): { seconds: number; text: string } | null {
  if (bytes.toString("latin1", 0, 3) !== "ID3" || bytes.toString("latin1", 10, 14) !== "COMM") return null;
  const audioFrom = 10 + fromSevenBits(bytes, 6);
  const contentBytes = fromSevenBits(bytes, 14);
  if (!bytes.subarray(audioFrom, audioFrom + HEADER.length).equals(HEADER) || bytes[20] !== 3) return null;
  const frames = (bytes.length + omitted - audioFrom) / FRAME_BYTES;
  return { seconds: (frames * SAMPLES_A_FRAME) / SAMPLE_RATE, text: bytes.toString("utf8", 25, 20 + contentBytes) };
}
