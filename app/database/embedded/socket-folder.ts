import { createHash } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// A Unix socket's path has at most 107 bytes, on some systems 103.
const MAX_SOCKET_PATH_LENGTH = 100;

/** Returns the private folder for the embedded database's socket, or null where only a loopback port works. */
export function socketFolder(dataDir: string): string | null {
  if (process.platform === "win32") return null;
  const beside = join(dataDir, "run");
  const folder = fits(beside) ? beside : join(tmpdir(), `gw-${shortHash(dataDir)}`);
  if (!fits(folder)) return null;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return statSync(folder).uid === process.getuid?.() ? folder : null;
}

const fits = (folder: string) => Buffer.byteLength(join(folder, ".s.PGSQL.5432")) <= MAX_SOCKET_PATH_LENGTH;
const shortHash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
