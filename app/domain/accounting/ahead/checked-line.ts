import { crc32 } from "node:zlib";

/** Characters of a checksum. */
export const CHECKSUM_LENGTH = 8;

/** CRC-32 of a text in hexadecimal. A line begins with the checksum of its rest, which detects torn lines. */
export const checksum = (text: string | Buffer): string => crc32(text).toString(16).padStart(CHECKSUM_LENGTH, "0");

/** The text after the checksum and a blank; null when the checksum does not match. */
export function checkedText(line: string): string | null {
  const text = line.slice(CHECKSUM_LENGTH + 1);
  return line.charAt(CHECKSUM_LENGTH) === " " && checksum(text) === line.slice(0, CHECKSUM_LENGTH) ? text : null;
}
