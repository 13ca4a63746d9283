import { createHmac } from "node:crypto";

/**
 * Returns a hash of several texts that cannot be computed without the key. Different lists of texts have different
 * hashes.
 */
export const keyedHash = (key: string, ...parts: readonly string[]): string =>
  createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url");
