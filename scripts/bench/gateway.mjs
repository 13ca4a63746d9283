// Starts a gw process for the benchmark, in the same way as `npm start`.
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { NEWEST_FUNCTIONS } from "../newest-functions.mjs";
import { childrenOf, isHere, residentMegabytes } from "./processes.mjs";

const adminKey = `gw_${"B".repeat(43)}bench0`;

export const bearer = (key) => ({ authorization: `Bearer ${key}` });

/**
 * Starts gw in front of the upstream, which it can call in all dialects, and stops it after `use`. Provides a key with
 * a budget and a rate limit, and one without. The payer of both is exempt, like the operator's own organisation, until
 * `charge` makes it a customer with a funded wallet; `charged` returns the number of calls paid from that wallet.
 */
export async function withGateway(folder, upstream, env, use) {
  const dataDir = mkdtempSync(join(folder, "data-"));
  const configFile = join(dataDir, "gw.config.json");
  writeFileSync(configFile, JSON.stringify(catalogueFor(upstream)));
  const port = await freePort();
  const child = spawn(process.execPath, ["--max-semi-space-size=32", "scripts/start.mjs"], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: "production",
      PORT: String(port),
      DATA_DIR: dataDir,
      GW_CONFIG: configFile,
      GW_ROOT_ADMIN_KEY: adminKey,
      GW_SECRET: "a-secret-for-the-benchmark-0123456789",
      ...env,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  try {
    const url = `http://127.0.0.1:${port}`;
    await ready(url);
    const database = env.DATABASE_URL ? await postgresBackends(env.DATABASE_URL) : () => childrenOf(child.pid);
    const itself = env.DATABASE_URL
      ? ""
      : `, ${childrenOf(child.pid).map(residentMegabytes).join(" + ")} MB in its database`;
    process.stdout.write(`gw idle: ${residentMegabytes(child.pid)} MB resident in the server process${itself}\n`);
    const exempt = await issue(url, { name: "exempt" });
    const limits = { budget_limit: 1_000_000, budget_period: "monthly", rate_limit_rpm: 1_000_000 };
    const paying = await issue(url, { name: "paying", ...limits });
    const books = booksOf(env, dataDir);
    const target = { pid: child.pid, port, path: "/v1/chat/completions", databasePids: database };
    await use(target, { exempt, paying, issue: (fields) => issue(url, fields), ...books });
  } finally {
    child.kill("SIGTERM");
    const patience = setTimeout(() => child.kill("SIGKILL"), 40_000);
    await exited;
    clearTimeout(patience);
  }
}

function catalogueFor(upstream) {
  const supplier = (name, kind, more = {}) => ({
    name,
    kind,
    ...more,
    base_url: `http://127.0.0.1:${upstream.port}/v1`,
    region: "eu",
    credentials: [{ name: "main", api_key: "secret" }],
  });
  const model = (id, name) => ({
    id,
    owned_by: "bench",
    capability: "chat",
    context_tokens: 8000,
    max_output_tokens: 1000,
    routes: [{ supplier: name, upstream_model: "bench", price: { input_per_mtok: 0.5, output_per_mtok: 1.5 } }],
  });
  return {
    suppliers: [
      supplier("bench", "chat"),
      supplier("bench-messages", "messages"),
      supplier("bench-responses", "chat", { responses: true }),
    ],
    models: [
      ...["bench", "bench-messages", "bench-responses"].map((name) => model(name, name)),
      {
        id: "bench-embeddings",
        owned_by: "bench",
        capability: "embedding",
        context_tokens: 8000,
        routes: [{ supplier: "bench", upstream_model: "bench", price: { input_per_mtok: 0.1 } }],
      },
    ],
  };
}

async function ready(url) {
  for (let tries = 0; ; tries += 1) {
    if ((await fetch(`${url}/health?ready`).catch(() => null))?.ok) return;
    if (tries > 300) throw new Error("gw did not become healthy");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function issue(url, fields) {
  const response = await fetch(`${url}/v1/manage/keys`, {
    method: "POST",
    headers: { ...bearer(adminKey), "content-type": "application/json" },
    body: JSON.stringify(fields),
  });
  const { key } = await response.json();
  if (!key) throw new Error("no key");
  return key;
}

/** Reads and changes the payer's accounts by SQL, beside the server. */
function booksOf(env, dataDir) {
  const place = env.DATABASE_URL
    ? { connectionString: env.DATABASE_URL }
    : { host: join(dataDir, "run"), user: "postgres", database: "postgres" };
  return {
    sql: (text) => asked(place, text),
    charge: () =>
      asked(
        place,
        `SELECT wallet_mark_exempt(id, false, 'bench'),
                wallet_post(id, 'adjustment', 1000000000000000, 'adjustment', 'bench:' || id, 'bench', 'funds')
           FROM ledger_account WHERE kind = 'wallet'`,
      ),
    charged: async () => {
      const [{ calls }] = await asked(
        place,
        `SELECT count(*)::int AS calls FROM usage_event WHERE NOT exempt AND charged > 0`,
      );
      return calls;
    },
  };
}

async function asked(place, sql) {
  const client = new pg.Client(place);
  await client.connect();
  try {
    await client.query(NEWEST_FUNCTIONS);
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Returns the PostgreSQL processes of this database, and its background writers; null if it runs on another machine.
 */
async function postgresBackends(url) {
  const pids = async () => {
    const sql = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() OR datname IS NULL";
    return (await asked({ connectionString: url }, sql)).map(({ pid }) => pid);
  };
  const areHere = (await pids()).filter((pid) => isHere(pid, "postgres")).length > 1;
  return async () => (areHere ? (await pids()).filter((pid) => isHere(pid, "postgres")) : null);
}

export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
