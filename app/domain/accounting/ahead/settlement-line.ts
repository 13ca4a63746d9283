import { crc32 } from "node:zlib";
import { type FinishedText, readFinished } from "../call-text";
import type { Settlement } from "../shared";

/**
 * Lines of settlements in files. Each begins with the checksum of its rest and a blank, so that a torn line has a wrong checksum:
 * - of the journal: JSON, line feed;
 * - of the write-ahead log, between line feeds: the row and the attempts of the SQL statement, separated by a tab.
 */
const LINE_FEED = "\n".charCodeAt(0);
const CHECKSUM_LENGTH = 8;

/** CRC-32 in hexadecimal. */
const checksum = (text: string | Buffer): string => crc32(text).toString(16).padStart(CHECKSUM_LENGTH, "0");

/** The text after the checksum; null when the line is torn. */
function checkedText(line: string): string | null {
  const text = line.slice(CHECKSUM_LENGTH + 1);
  return line.charAt(CHECKSUM_LENGTH) === " " && checksum(text) === line.slice(0, CHECKSUM_LENGTH) ? text : null;
}

/** Encodes a settlement as a line of the journal. */
export function writeSettlement(settlement: Settlement): string {
  const json = JSON.stringify(settlement, (_, value) => (typeof value === "bigint" ? value.toString() : value));
  return `${checksum(json)} ${json}\n`;
}

/** Reads a line of the journal, of this or an older release; null when it is torn. */
export function parseSettlement(line: string): Settlement | null {
  const json = checkedText(line);
  if (json === null) return null;
  const { counterfactualNanoUsd: without, ...read } = JSON.parse(json) as Settlement & {
    costNanoUsd: string;
    startedAt: string;
    counterfactualNanoUsd?: string | null;
  };
  return {
    ...read,
    costNanoUsd: BigInt(read.costNanoUsd),
    startedAt: new Date(read.startedAt),
    ...(without ? { counterfactualNanoUsd: BigInt(without) } : {}),
  };
}

/**
 * Writes a line of the write-ahead log into a buffer. The text exists already as the value of the SQL statement, so this is cheap.
 * Returns the bytes written; 0: the buffer is too small, or the text has a line feed.
 */
export function writeFinishedLine(buffer: Buffer, { call, attempts }: FinishedText): number {
  const begin = 1 + CHECKSUM_LENGTH + 1;
  // A UTF-16 code unit takes at most three bytes in UTF-8.
  if (begin + (call.length + attempts.length + 1) * 3 + 1 > buffer.length || call.includes("\n")) return 0;
  const end = begin + buffer.write(`${call}\t${attempts}`, begin);
  buffer[0] = LINE_FEED;
  buffer.write(`${checksum(buffer.subarray(begin, end))} `, 1, "latin1");
  buffer[end] = LINE_FEED;
  return end + 1;
}

/** Reads a line of the write-ahead log; null when it is torn. Characters that PostgreSQL cannot store are already removed. */
export function readFinishedLine(line: string): Settlement | null {
  const text = checkedText(line);
  if (text === null) return null;
  const tab = text.lastIndexOf("\t");
  return readFinished({ call: text.slice(0, tab), attempts: text.slice(tab + 1) });
}
