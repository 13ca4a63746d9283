import { mkdirSync, openSync } from "node:fs";
import { readdir, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { log } from "~/observe/log.server";

/** Creates or truncates a file for writing, with its folder. */
export function openedAt(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  return openSync(path, "w");
}

export type LeftFiles = {
  folder: string;
  /** Selects the files by name. */
  isMeant: (name: string) => boolean;
  /** This process's own file, which is skipped. */
  own: string;
  untouchedMs: number;
  /** Log message for a file that cannot be taken over. */
  failure: string;
};

/**
 * Takes over the files of stopped processes in a folder: those unchanged for `untouchedMs`. Deletes each file after `take` has
 * handled it. A file for which `take` fails stays, and the others are still handled.
 */
export async function takeOverFiles(
  { folder, isMeant, own, untouchedMs, failure }: LeftFiles,
  take: (path: string, name: string) => Promise<void>,
): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (!isMeant(name) || path === own) continue;
    try {
      if (Date.now() - (await stat(path)).mtimeMs < untouchedMs) continue;
      await take(path, name);
      await unlink(path);
    } catch (problem) {
      // Another process may have taken the same file.
      if ((problem as NodeJS.ErrnoException).code !== "ENOENT") log.error({ err: problem, file: path }, failure);
    }
  }
}
