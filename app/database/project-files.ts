import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Returns the absolute path of a file that is read at run time; works in the sources and in the built server. */
export function projectFile(relativePath: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "prisma", "migrations"))) {
    const parent = dirname(folder);
    if (parent === folder)
      throw new Error("prisma/migrations is not found above the program; it has to be shipped with it");
    folder = parent;
  }
  return join(folder, relativePath);
}
