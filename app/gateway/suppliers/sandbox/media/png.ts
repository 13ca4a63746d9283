import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";

/** One pixel as red, green and blue, each from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const TRUE_COLOUR = 2;
const BITS = 8;

/** Writes a PNG file (ISO/IEC 15948) from palette indexes: `pixels` has one index per pixel, row by row. */
export async function pngOf(width: number, pixels: Uint8Array, palette: readonly Colour[]): Promise<Buffer> {
  const height = pixels.length / width;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = BITS;
  header[9] = TRUE_COLOUR;
  // Each row begins with its filter type: none.
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let row = 0, at = 0; row < height; row += 1) {
    at += 1;
    for (let column = 0; column < width; column += 1, at += 3) rows.set(palette[pixels[row * width + column]!]!, at);
  }
  const data = await promisify(deflate)(rows);
  return Buffer.concat([SIGNATURE, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(name: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(name, 4, "latin1");
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}
