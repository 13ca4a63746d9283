import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { prepareDataFolder } from "./data-folder";
import { ConfigError } from "./error";

/**
 * Returns the secret of an installation on the embedded database. It is created once, in `DATA_DIR/secret`, readable
 * only by its owner.
 * @throws ConfigError when the folder is not writable, or the file is too short for a secret.
 */
export function secretOf(dataDir: string): string {
  const path = join(dataDir, "secret");
  try {
    return validSecret(path) ?? makeSecret(dataDir, path);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`);
  }
}

// link() creates the file together with its content, so that two servers that start at once read the same secret.
function makeSecret(dataDir: string, path: string): string {
  prepareDataFolder(dataDir);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return validSecret(path) as string;
}

function validSecret(path: string): string | null {
  try {
    const secret = readFileSync(path, "utf8").trim();
    if (secret.length < 32) throw new ConfigError(`${path} does not hold a secret of 32 characters or more`);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
