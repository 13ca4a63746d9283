import { createHash, randomBytes } from "node:crypto";

/** A new token for a link that works once: 256 random bits, in characters that fit into a URL. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored of a token. A fast hash is right here: nobody can guess 256 bits. */
export function tokenHash(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(token).digest());
}
