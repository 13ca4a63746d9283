import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Folder of the programs of the newest PostgreSQL that a Debian package installed; null without one. */
const PROGRAMS = (() => {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(a) - Number(b)) : [];
  const newest = versions.at(-1);
  return newest === undefined || !existsSync(join(root, newest, "bin/initdb")) ? null : join(root, newest, "bin");
})();

/** Whether tests can start a PostgreSQL server: needs its programs and, when run as root, a user `postgres`. */
export const canMakeClusters = PROGRAMS !== null && (process.getuid?.() !== 0 || hasUser("postgres"));

/** A PostgreSQL server for one test, which may change its settings. */
export type OwnCluster = {
  folder: string;
  port: number;
  /** Writes a file that only the server may read. */
  write(name: string, content: string): string;
  set(settings: Readonly<Record<string, string>>): void;
  /** Replaces pg_hba.conf. */
  admit(lines: readonly string[]): void;
  reload(): void;
  restart(): void;
  remove(): void;
};

/** Creates and starts a cluster. Superuser `postgres` needs no password on this machine. The caller removes it. */
export async function makeCluster(settings: Readonly<Record<string, string>> = {}): Promise<OwnCluster> {
  const folder = mkdtempSync(join(tmpdir(), "gw-cluster-"));
  const data = join(folder, "data");
  const owner = process.getuid?.() === 0 ? Number(execFileSync("id", ["-u", "postgres"], { encoding: "utf8" })) : null;
  const asServer = (program: string, args: string[]) => {
    const [command, before] =
      owner === null ? [join(PROGRAMS!, program), []] : ["runuser", ["-u", "postgres", "--", join(PROGRAMS!, program)]];
    execFileSync(command, [...before, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  };
  const give = (path: string) => {
    if (owner !== null) chownSync(path, owner, statSync(path).gid);
  };
  give(folder);
  chmodSync(folder, 0o755);
  const port = await freePort();
  asServer("initdb", [
    "--pgdata",
    data,
    "--username",
    "postgres",
    "--auth",
    "trust",
    "--no-sync",
    "--encoding",
    "UTF8",
    "--locale",
    "C.UTF-8",
  ]);
  const cluster: OwnCluster = {
    folder,
    port,
    write(name, content) {
      const path = join(folder, name);
      writeFileSync(path, content, { mode: 0o600 });
      give(path);
      return path;
    },
    set(more) {
      const lines = Object.entries(more).map(([name, value]) => `${name} = '${value}'\n`);
      appendFileSync(join(data, "postgresql.conf"), lines.join(""));
    },
    admit: (lines) => writeFileSync(join(data, "pg_hba.conf"), `${lines.join("\n")}\n`),
    reload: () => asServer("pg_ctl", ["reload", "--pgdata", data, "--silent"]),
    restart: () =>
      asServer("pg_ctl", [
        "restart",
        "--pgdata",
        data,
        "--silent",
        "--wait",
        "--mode",
        "fast",
        "--log",
        join(folder, "log"),
      ]),
    remove() {
      asServer("pg_ctl", ["stop", "--pgdata", data, "--silent", "--wait", "--mode", "immediate"]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  cluster.set({
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: folder,
    fsync: "off",
    ...settings,
  });
  asServer("pg_ctl", ["start", "--pgdata", data, "--silent", "--wait", "--log", join(folder, "log")]);
  return cluster;
}

function hasUser(name: string): boolean {
  try {
    execFileSync("id", ["-u", name], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
