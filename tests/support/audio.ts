/** Small hand-made audio files of known duration, for tests that read containers. */

export function wav(
  seconds: number,
  { rate = 8_000, claimedBytes }: { rate?: number; claimedBytes?: number } = {},
): Buffer {
  const data = Buffer.alloc(Math.round(seconds * rate) * 2);
  for (let at = 0; at < data.length; at += 2) data.writeInt16LE(Math.round(Math.sin(at / 20) * 8_000), at);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  head.writeUInt32LE(claimedBytes ?? data.length, 40);
  return Buffer.concat([head, data]);
}

/** MPEG-1 layer III, 128 kbit/s, 44.1 kHz: frames of 417 bytes and 1152 samples. */
export function mp3(frames: number, { xing, id3 = false }: { xing?: number; id3?: boolean } = {}): Buffer {
  const made = Array.from({ length: frames }, () => {
    const frame = Buffer.alloc(417);
    frame.writeUInt32BE(0xfffb9000, 0);
    return frame;
  });
  if (xing !== undefined) {
    made[0]!.write("Xing", 36);
    made[0]!.writeUInt32BE(1, 40);
    made[0]!.writeUInt32BE(xing, 44);
  }
  const tag = Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 1, 0]), Buffer.alloc(128)]);
  return Buffer.concat(id3 ? [tag, ...made] : made);
}

export const MP3_FRAME_SECONDS = 1152 / 44_100;

const box = (name: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8, 0);
  head.write(name, 4);
  return Buffer.concat([head, content]);
};

/** An M4A file with the movie header after the audio data, as most encoders write it. */
export function m4a(seconds: number, { long = false, brand = "M4A " } = {}): Buffer {
  const header = Buffer.alloc(long ? 108 : 100);
  header[0] = long ? 1 : 0;
  header.writeUInt32BE(1_000, long ? 20 : 12);
  if (long) header.writeBigUInt64BE(BigInt(Math.round(seconds * 1_000)), 24);
  else header.writeUInt32BE(Math.round(seconds * 1_000), 16);
  const brands = Buffer.concat([Buffer.from(brand), Buffer.alloc(4), Buffer.from("isom")]);
  return Buffer.concat([box("ftyp", brands), box("mdat", Buffer.alloc(3_000)), box("moov", box("mvhd", header))]);
}

export function flac(seconds: number, rate = 44_100): Buffer {
  const info = Buffer.alloc(34);
  const samples = Math.round(seconds * rate);
  info.writeUIntBE((rate << 4) >>> 0, 10, 3);
  info[13] = 0xf0 | Math.floor(samples / 2 ** 32);
  info.writeUInt32BE(samples % 2 ** 32, 14);
  return Buffer.concat([Buffer.from("fLaC"), Buffer.from([0x80, 0, 0, 34]), info, Buffer.alloc(2_000)]);
}

function oggPage(position: bigint, packet: Buffer): Buffer {
  const head = Buffer.alloc(28);
  head.write("OggS", 0);
  head.writeBigInt64LE(position, 6);
  head.writeUInt32LE(77, 14);
  head[26] = 1;
  head[27] = packet.length;
  return Buffer.concat([head, packet]);
}

export function ogg(seconds: number): Buffer {
  const opus = Buffer.alloc(19);
  opus.write("OpusHead", 0);
  opus.writeUInt16LE(312, 10);
  const last = oggPage(BigInt(Math.round(seconds * 48_000) + 312), Buffer.alloc(200));
  return Buffer.concat([oggPage(0n, opus), oggPage(-1n, Buffer.alloc(250)), last, oggPage(-1n, Buffer.alloc(9))]);
}

const element = (id: string, content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(id, "hex"),
    Buffer.from([0x10 | (content.length >> 24), content.length >> 16, content.length >> 8, content.length]),
    content,
  ]);

/** A WebM file with its duration in the header, or as a recorder streams it: in clusters, without a duration. */
export function webm(seconds: number, { streamed = false, docType = "webm" } = {}): Buffer {
  const head = element("1a45dfa3", element4282(docType));
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(seconds * 1_000);
  const scale = element("2ad7b1", Buffer.from([0x0f, 0x42, 0x40]));
  const info = element("1549a966", streamed ? scale : Buffer.concat([scale, element("4489", duration)]));
  const timestamp = Buffer.alloc(4);
  timestamp.writeUInt32BE(Math.min(0xffffffff, Math.round(seconds * 1_000)));
  const cluster = (time: Buffer) =>
    element("1f43b675", Buffer.concat([Buffer.from([0xe7, 0x84]), time, Buffer.alloc(500)]));
  const clusters = Buffer.concat([cluster(Buffer.alloc(4)), cluster(timestamp)]);
  // The size of a streamed segment is unknown.
  const segment = streamed
    ? Buffer.concat([Buffer.from("1853806701ffffffffffffff", "hex"), info, clusters])
    : element("18538067", Buffer.concat([info, clusters]));
  return Buffer.concat([head, segment]);
}

const element4282 = (docType: string) =>
  Buffer.concat([Buffer.from([0x42, 0x82, 0x80 | docType.length]), Buffer.from(docType)]);
