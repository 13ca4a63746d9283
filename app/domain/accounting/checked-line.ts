import { crc32 } from "node:zlib";

/** How many characters a checksum has. */
export const CHECKSUM_LENGTH = 8;

/** The CRC-32 of a text, in hexadecimal. A line begins with that of the rest of it, so that a torn one is known. */
export const checksum = (text: string | Buffer): string => crc32(text).toString(16).padStart(CHECKSUM_LENGTH, "0");

/** What stands behind the checksum and a blank; null when it is another text than was written. */
export function checkedText(line: string): string | null {
  const text = line.slice(CHECKSUM_LENGTH + 1);
  return line.charAt(CHECKSUM_LENGTH) === " " && checksum(text) === line.slice(0, CHECKSUM_LENGTH) ? text : null;
}
