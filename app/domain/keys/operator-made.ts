import { subscribe } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { possibleHashesOf } from "./secrets/secret-hash";
import { readAdminHashes } from "./store";

/**
 * The operator may choose the secret of a root admin key, without the checksum of generated keys. The HMACs of all
 * admin keys are cached, so that any other secret without a valid checksum is rejected without the database.
 */
let cached: { hashes: Promise<ReadonlySet<string>>; readAtMs: number } | null = null;

subscribe("keys", () => {
  cached = null;
});

/**
 * Returns whether a secret without a checksum is an admin key. Reads the database once per `freshForMs`, and after a
 * key has changed.
 */
export async function isOperatorMade(secret: string, freshForMs: number): Promise<boolean> {
  const nowMs = performance.now();
  if (cached === null || nowMs - cached.readAtMs >= freshForMs) cached = { hashes: read(), readAtMs: nowMs };
  const hashes = await cached.hashes;
  return possibleHashesOf(secret).some((hash) => hashes.has(hash.toString("base64")));
}

function read(): Promise<ReadonlySet<string>> {
  const reading = readAdminHashes(db()).then(
    (hashes) => new Set(hashes.map((hash) => Buffer.from(hash).toString("base64"))),
  );
  reading.catch(() => {
    // The next call reads again.
    cached = null;
  });
  return reading;
}
