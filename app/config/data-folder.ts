import { accessSync, constants, mkdirSync } from "node:fs";
import { ConfigProblem } from "./problem";

/**
 * Makes `DATA_DIR` when it is not there. A server without a place to write would find out with its first settlement.
 * @throws ConfigProblem when it is no folder, or one that this process may not write to.
 */
export function prepareDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (problem) {
    throw new ConfigProblem(`DATA_DIR ${dataDir} cannot be used: ${(problem as Error).message}`);
  }
}
