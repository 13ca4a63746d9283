import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateSecret } from "~/domain/keys/secrets/secret";
import { connectForTests, databaseForServer, type TestDatabase } from "./database";
import { learnDescription, recordingEnvironment } from "./described/recording";

/** A gateway in its own process, as `npm start` runs it, on a free port. */
export type Gateway = {
  url: string;
  /** The root admin key of the first organisation, whose payer is exempt. */
  adminKey: string;
  /** An ordinary key without limits. */
  key: string;
  dataDir: string;
  process: ChildProcess;
  /** Returns the output of the process so far. */
  output(): string;
  /** Runs SQL on the gateway's own database. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of any shape, read by assertions only
  sql(query: string, parameters?: unknown[]): Promise<any[]>;
  /** Creates a key through the management API. */
  createKey(fields?: Record<string, unknown>): Promise<{ id: string; key: string }>;
  /** Ends the process with a signal and waits for it. Resolves with its exit code. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
  /** Stops all processes and removes their files. */
  close(): Promise<void>;
};

export type GatewayOptions = {
  /** The content of GW_CONFIG; by default the catalogue has the sandbox supplier. */
  config?: object;
  env?: Record<string, string>;
  /** A migrated database, which `close` does not remove; by default a fresh one. */
  database?: TestDatabase;
  dataDir?: string;
  adminKey?: string;
  /** The port to listen on; by default a free one. */
  port?: number;
};

export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "gw-test-")));
  const database = options.database ?? (await databaseForServer(dataDir));
  const adminKey = options.adminKey ?? generateSecret();
  const port = options.port ?? (await freePort());
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: String(port),
    DATA_DIR: dataDir,
    GW_ROOT_ADMIN_KEY: adminKey,
    // A developer's .env may contain keys of real providers; no test may call them.
    GW_PROVIDER_KEYS: "false",
    // The sandbox represents suppliers that cost money.
    GW_SANDBOX_FREE_RPM: "0",
    GW_SECRET: "a-secret-for-tests-only-0123456789abcdef",
    ...(database.embedded ? {} : { DATABASE_URL: database.serverUrl }),
    ...recordingEnvironment(),
    // No server under test may reach the real payment processor, whatever its API key is.
    STRIPE_API_BASE: "http://127.0.0.1:9",
    ...options.env,
  };
  if (options.config) {
    env.GW_CONFIG = join(dataDir, "gw.config.json");
    await writeFile(env.GW_CONFIG, JSON.stringify(options.config));
  }
  const child = spawn(process.execPath, ["scripts/start.mjs"], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const url = `http://127.0.0.1:${port}`;
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  await healthy(url, exited, () => output);
  await learnDescription(url);
  const client = await connectForTests(database, dataDir);
  // There is one connection, so concurrent tests run their queries one after the other.
  let before: Promise<unknown> = Promise.resolve();
  const createKey = async (fields: Record<string, unknown> = {}) => {
    const response = await fetch(`${url}/v1/manage/keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "test", ...fields }),
    });
    if (response.status !== 200 && response.status !== 201)
      throw new Error(`no key: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string; key: string };
  };
  const kill = (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return exited;
  };
  return {
    url,
    adminKey,
    key: (await createKey()).key,
    dataDir,
    process: child,
    output: () => output,
    sql: (query, parameters) => {
      const result = before.then(() => client.query(query, parameters));
      before = result.catch(() => undefined);
      return result.then(({ rows }) => rows);
    },
    createKey,
    kill,
    close: async () => {
      await client.end();
      await kill("SIGKILL");
      if (!options.database) await database.close();
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function healthy(url: string, exited: Promise<unknown>, output: () => string): Promise<void> {
  let dead = false;
  void exited.then(() => (dead = true));
  for (let tries = 0; tries < 1_800; tries += 1) {
    if (dead) throw new Error(`the gateway did not start:\n${output()}`);
    const response = await fetch(`${url}/health?ready`).catch(() => null);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the gateway did not become healthy:\n${output()}`);
}

/** Returns a port that was free when it was checked. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
