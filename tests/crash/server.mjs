import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { NEWEST_FUNCTIONS } from "../../scripts/newest-functions.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
// Twice this must exceed one lease plus the longest wait for the job that releases expired leases.
const LEASE_SECONDS = 6;
export const LEASE_MS = LEASE_SECONDS * 1000;

/** A server that can be killed and restarted on the same port with the same data. */
export class CrashServer {
  /** @type {import("node:child_process").ChildProcess | null} */
  #child = null;
  #output = "";
  #env;
  #dataDir;
  #database;
  /** Root folder of the started program. */
  root = ROOT;
  adminKey = `gw_${randomBytes(25).toString("hex").slice(0, 49)}`;

  /** @param {{ dataDir: string, port: number, database: { url: string, drop(): Promise<void> } | null, config: string }} given */
  constructor({ dataDir, port, database, config }) {
    this.url = `http://127.0.0.1:${port}`;
    this.#dataDir = dataDir;
    this.#database = database;
    this.#env = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: "production",
      PORT: String(port),
      HOST: "127.0.0.1",
      DATA_DIR: dataDir,
      GW_CONFIG: config,
      GW_SECRET: "a-secret-for-tests-only-0123456789abcdef",
      GW_ROOT_ADMIN_KEY: this.adminKey,
      GW_HOLD_LEASE_SECONDS: String(LEASE_SECONDS),
      LOG_LEVEL: "warn",
      ...(database === null ? {} : { DATABASE_URL: database.url }),
    };
  }

  /** @param {(closedPort: number) => object} configFor */
  static async prepare(configFor) {
    const dataDir = await mkdtemp(join(tmpdir(), "gw-crash-"));
    const config = join(dataDir, "gw.config.json");
    await writeFile(config, JSON.stringify(configFor(await freePort())));
    const database = await freshDatabase(process.env.TEST_DATABASE_URL);
    return new CrashServer({ dataDir, port: await freePort(), database, config });
  }

  /**
   * Creates another server on the same PostgreSQL database, with its own data folder.
   * @param {(closedPort: number) => object} configFor @param {string} [root] of another version of the program
   */
  async beside(configFor, root = this.root) {
    if (this.#database === null) throw new Error("the embedded database serves one process");
    const dataDir = await mkdtemp(join(tmpdir(), "gw-crash-"));
    const config = join(dataDir, "gw.config.json");
    await writeFile(config, JSON.stringify(configFor(await freePort())));
    const database = { url: this.#database.url, drop: async () => undefined };
    const other = new CrashServer({ dataDir, port: await freePort(), database, config });
    other.#env.GW_ROOT_ADMIN_KEY = this.adminKey;
    other.root = root;
    return other;
  }

  async start() {
    const child = spawn(process.execPath, [join(this.root, "scripts/start.mjs")], {
      cwd: this.root,
      env: this.#env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    const note = (/** @type {Buffer} */ chunk) => {
      this.#output = (this.#output + chunk).slice(-20_000);
    };
    child.stdout.on("data", note);
    child.stderr.on("data", note);
    for (let tries = 0; tries < 1_200; tries += 1) {
      if (child.exitCode !== null) throw new Error(`the server ended while it started:\n${this.#output}`);
      const response = await fetch(`${this.url}/health?ready`).catch(() => null);
      if (response?.ok) return;
      await pause(25);
    }
    throw new Error(`the server did not become healthy:\n${this.#output}`);
  }

  /** @param {NodeJS.Signals} signal */
  async kill(signal) {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await exited;
  }

  /** @param {object} fields @returns {Promise<string>} */
  async createKey(fields) {
    const response = await fetch(`${this.url}/v1/manage/keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.adminKey}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "crash", ...fields }),
    });
    if (!response.ok) throw new Error(`no key: ${response.status} ${await response.text()}`);
    return (await response.json()).key;
  }

  /** Connects to the database of the running server. The caller closes the connection. */
  async connect() {
    const url =
      this.#database?.url ??
      `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(join(this.#dataDir, "run"))}`;
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(NEWEST_FUNCTIONS);
    return client;
  }

  /** Runs one query while the server is up. @param {string} query @returns {Promise<any[]>} */
  async sql(query) {
    const client = await this.connect();
    try {
      return (await client.query(query)).rows;
    } finally {
      await client.end();
    }
  }

  output = () => this.#output;

  async remove() {
    await this.kill("SIGKILL");
    await this.#database?.drop();
    await rm(this.#dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Creates an empty database on a PostgreSQL server; returns null without a server. @param {string | undefined} serverUrl */
async function freshDatabase(serverUrl) {
  if (!serverUrl) return null;
  const name = `gw_crash_${randomBytes(6).toString("hex")}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await run(serverUrl, `CREATE DATABASE ${name}`);
  return { url: url.href, drop: () => run(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/** @param {string} url @param {string} sql */
async function run(url, sql) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null)));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
