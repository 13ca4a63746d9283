import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX = "gw_";
const RANDOM_BYTES = 32;
/** 62^43 is the first power of 62 above 2^256. */
const RANDOM_DIGITS = 43;
/** 62^6 is the first power of 62 above 2^32. */
const CHECKSUM_DIGITS = 6;
/** A root admin key that an operator chose may be shorter than a generated one and lack the checksum. */
const MIN_DIGITS = 24;
const MAX_DIGITS = 256;

/**
 * Returns a new secret: `gw_`, 32 random bytes as 43 base62 digits, and their checksum. Only its HMAC may be stored.
 */
export function generateSecret(): string {
  const digits = randomDigits(RANDOM_BYTES, RANDOM_DIGITS);
  return PREFIX + digits + checksumOf(digits);
}

/** Returns random bytes as base62 digits of a fixed length, for ids that must not be guessable. */
export function randomDigits(bytes: number, length: number): string {
  return base62(BigInt(`0x${randomBytes(bytes).toString("hex")}`), length);
}

/** Returns the CRC-32 (as in zlib) of a text as six base62 digits, most significant first. */
export function checksumOf(digits: string): string {
  return base62(BigInt(crc32(digits)), CHECKSUM_DIGITS);
}

/**
 * Classifies a secret without the database. `checked`: the form and checksum of a generated secret. `unchecked`: can
 * only be one that an operator chose. `malformed`: cannot be a key.
 */
export function formOf(secret: string): "checked" | "unchecked" | "malformed" {
  if (!secret.startsWith(PREFIX)) return "malformed";
  const digits = secret.slice(PREFIX.length);
  if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS || !/^[0-9A-Za-z]+$/.test(digits)) return "malformed";
  if (digits.length !== RANDOM_DIGITS + CHECKSUM_DIGITS) return "unchecked";
  return checksumOf(digits.slice(0, RANDOM_DIGITS)) === digits.slice(RANDOM_DIGITS) ? "checked" : "unchecked";
}

/** Returns the only parts of a secret that are ever shown again. */
export function shownParts(secret: string): { prefix: string; last4: string } {
  return { prefix: secret.slice(0, PREFIX.length + 4), last4: secret.slice(-4) };
}

function base62(value: bigint, length: number): string {
  let digits = "";
  for (let rest = value; rest > 0n; rest /= 62n) digits = ALPHABET[Number(rest % 62n)] + digits;
  return digits.padStart(length, "0");
}
