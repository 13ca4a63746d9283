import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { config } from "~/config.server";
import { log } from "~/observe/log.server";

/**
 * Renewed tokens, sealed, between the response of the token endpoint and the database write. `expiresAt` in
 * milliseconds since 1970.
 */
const Entry = z.object({
  id: z.number().int(),
  generation: z.number().int(),
  token: z.string(),
  refreshToken: z.string().nullable(),
  expiresAt: z.number().nullable(),
});
export type JournalEntry = z.infer<typeof Entry>;

const folder = () => join(config().dataDir, "tokens");

/**
 * Writes renewed tokens to this machine's disk until the database has them: the previous refresh token may already be
 * invalid, and this process may crash. Returns a function that deletes the file. Never throws.
 */
export function journalRenewed(entry: JournalEntry): () => void {
  const path = join(folder(), `${entry.id}-${entry.generation}.json`);
  try {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    const file = openSync(path, "w", 0o600);
    try {
      // `writeFileSync` writes all bytes; a single write may be short on a full disk.
      writeFileSync(file, JSON.stringify(entry));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    log.warn({ err: error }, "a renewed token is in memory only until the database has it");
  }
  return () => rmSync(path, { force: true });
}

/**
 * Returns the tokens that an earlier process could not write, each with a function that deletes its file. Leaves
 * unreadable files in place.
 */
export function renewedBefore(): { entry: JournalEntry; remove: () => void }[] {
  return filesIn(folder()).flatMap((name) => {
    const path = join(folder(), name);
    try {
      const entry = Entry.parse(JSON.parse(readFileSync(path, "utf8")));
      return [{ entry, remove: () => rmSync(path, { force: true }) }];
    } catch (error) {
      log.error({ err: error, file: name }, "a renewed token that an earlier process has kept cannot be read");
      return [];
    }
  });
}

function filesIn(path: string): string[] {
  try {
    return readdirSync(path).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}
