import { createHash, randomBytes } from "node:crypto";

/** Returns a new token for a link that works once: 256 random bits, in characters that fit into a URL. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns the stored form of a token. A fast hash is sufficient, because 256 random bits cannot be guessed. */
export function tokenHash(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(token).digest());
}
