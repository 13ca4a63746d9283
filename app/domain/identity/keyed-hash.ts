import { createHmac } from "node:crypto";

/** A hash of several texts that only who has the key can make; no two lists of texts have the same one. */
export const keyedHash = (key: string, ...parts: readonly string[]): string =>
  createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url");
