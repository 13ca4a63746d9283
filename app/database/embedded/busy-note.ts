import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { log } from "~/observe/log.server";

const NOTED_AGAIN_AFTER_MS = 3_600_000;
const WORTH_TELLING_MS = 7 * 86_400_000;

/** Advice in the log: how to move an installation to PostgreSQL. */
const WAY_OUT = "npm run move-database moves the installation to the PostgreSQL of DATABASE_URL";

const fileOf = (dataDir: string) => join(dataDir, "database-busy");

/** Records in a file, and logs at most once an hour, that the embedded database is saturated. */
export function recordBusy(dataDir: string, share: number): void {
  if (Date.now() - notedAt(dataDir) < NOTED_AGAIN_AFTER_MS) return;
  const percent = Math.round(share * 100);
  log.warn(
    { percent },
    `the embedded database is the bottleneck: it was busy ${percent} % of the last minute; ${WAY_OUT}`,
  );
  try {
    writeFileSync(fileOf(dataDir), `${percent}\n`, { mode: 0o600 });
  } catch (error) {
    log.warn({ err: error }, "that the embedded database is busy could not be noted");
  }
}

/** Returns a warning for server start-up if the embedded database was saturated within the last week; else null. */
export function busyNote(dataDir: string): string | null {
  const at = notedAt(dataDir);
  if (at === 0) return null;
  if (Date.now() - at > WORTH_TELLING_MS) {
    rmSync(fileOf(dataDir), { force: true });
    return null;
  }
  const percent = readFileSync(fileOf(dataDir), "utf8").trim();
  return `The embedded database was the bottleneck on ${new Date(at).toISOString().slice(0, 10)}: busy ${percent} % of a minute.\n${WAY_OUT}.`;
}

/** Time of the last note, in milliseconds since 1970; 0: never. */
function notedAt(dataDir: string): number {
  return statSync(fileOf(dataDir), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Deletes the note after a move to another database. */
export const deleteBusyNote = (dataDir: string): void => rmSync(fileOf(dataDir), { force: true });
