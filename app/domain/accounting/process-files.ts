import { mkdirSync, openSync } from "node:fs";
import { readdir, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { log } from "~/log.server";

/** Opens an empty file, in a folder that need not be there. */
export function openedAt(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  return openSync(path, "w");
}

export type LeftFiles = {
  folder: string;
  /** Which names are meant. */
  isMeant: (name: string) => boolean;
  /** This process's own file, which stays. */
  own: string;
  untouchedMs: number;
  /** What the log says where a file cannot be taken over. */
  failure: string;
};

/**
 * Takes over what dead processes have left in a folder: the files that nobody has touched for so long. Each goes when `take` has done
 * with it; one that it fails for stays, and keeps no other back.
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
      // Two processes may come to one file at once.
      if ((problem as NodeJS.ErrnoException).code !== "ENOENT") log.error({ err: problem, file: path }, failure);
    }
  }
}
