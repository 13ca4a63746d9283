import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConfigError } from "./error";

/**
 * Creates `DATA_DIR` and its journal folder if missing. Without this check, a server that cannot write would fail only
 * at its first settlement.
 * @throws ConfigError when one of them is not a folder, or is not writable.
 */
export function prepareDataFolder(dataDir: string): void {
  try {
    for (const folder of [dataDir, join(dataDir, "journal")]) {
      makeFolder(folder);
      if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    }
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`);
  }
}

// mkdir's own `recursive` never returns on a file system that rejects new folders as /proc does.
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
