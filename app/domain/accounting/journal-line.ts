import { crc32 } from "node:zlib";
import type { Settlement as Booking } from "./shared";

/** A settlement as one line: its checksum, its JSON, a line feed. A torn line has a wrong checksum. */
export function writeBooking(booking: Booking): string {
  const json = JSON.stringify(booking, (_, value) => (typeof value === "bigint" ? value.toString() : value));
  return `${checksum(json)} ${json}\n`;
}

/** Reads such a line; null when it is torn. */
export function parseBooking(line: string): Booking | null {
  const json = line.slice(9);
  if (line.charAt(8) !== " " || checksum(json) !== line.slice(0, 8)) return null;
  const read = JSON.parse(json) as Booking & { costNanoUsd: string; startedAt: string };
  return { ...read, costNanoUsd: BigInt(read.costNanoUsd), startedAt: new Date(read.startedAt) };
}

const checksum = (text: string) => crc32(text).toString(16).padStart(8, "0");
