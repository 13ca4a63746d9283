// npm run bench: what gw costs against a raw Node proxy, in one run and one table. Every figure is also given as a ratio
// to the floor of the same run, because machines are shared and noisy. Linux only: it reads processor times from /proc.
//
//   BENCH_DATABASE_URL   a PostgreSQL server on which it may create a database; without it only the embedded one is measured
//   BENCH_SECONDS (5)    how long each row is measured, after a warm-up;  BENCH_CONNECTIONS (24)
//   BENCH_ONLY           a part of a row's name, to measure only such rows (the floor is always measured)
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

const seconds = Number(process.env.BENCH_SECONDS ?? 5);
const connections = Number(process.env.BENCH_CONNECTIONS ?? 24);
const only = process.env.BENCH_ONLY ?? "";
const databaseUrl = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL;
const adminKey = `gw_${"B".repeat(43)}bench0`;
const folder = mkdtempSync(join(tmpdir(), "gw-bench-"));
const children = [];
const cleanUps = [];

const body = (stream) =>
  JSON.stringify({
    model: "bench",
    messages: [
      { role: "system", content: "You are a helpful assistant." },
      { role: "user", content: "Write one hundred words about the sea." },
    ],
    max_tokens: 200,
    ...(stream ? { stream: true } : {}),
  });

try {
  const upstream = await started("scripts/bench/upstream.mjs");
  const raw = await started("scripts/bench/raw-proxy.mjs", [String(upstream.port)]);
  const rows = [];
  const measure = async (name, target, headers = {}) => {
    for (const stream of [false, true]) rows.push({ name, stream, ...(await load(target, headers, stream)) });
    rows.at(-1).memory = rows.at(-2).memory = residentMegabytes(target.pid);
  };
  await measure("raw Node proxy (the floor)", raw);
  if (databaseUrl) {
    await withGateway(upstream, { DATABASE_URL: await newDatabase() }, async (gateway, keys) => {
      await measure("gw, exempt payer, PostgreSQL", gateway, bearer(keys.exempt));
      await keys.charge();
      await measure("gw, full accounting, PostgreSQL", gateway, bearer(keys.paying));
    });
  }
  await withGateway(upstream, {}, async (gateway, keys) => {
    await measure("gw, full accounting, embedded", gateway, bearer(keys.paying));
  });
  if ("portkey".includes(only.toLowerCase()) || only === "") await measurePortkey(upstream, measure);
  print(rows);
} finally {
  for (const child of children) child.kill("SIGKILL");
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
  rmSync(folder, { recursive: true, force: true });
}

function bearer(key) {
  return { authorization: `Bearer ${key}` };
}

/** Starts a script that prints its port. */
async function started(script, args = []) {
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const port = await new Promise((resolve) =>
    child.stdout.once("data", (text) => resolve(Number(String(text).trim()))),
  );
  return { pid: child.pid, port, path: "/v1/chat/completions" };
}

/** Runs the load once to warm up and once to measure; processor time is the server process's own. */
async function load(target, headers, stream) {
  const options = (duration) =>
    JSON.stringify({
      url: `http://127.0.0.1:${target.port}${target.path}`,
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: body(stream),
      connections,
      duration,
    });
  const run = (duration) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, ["scripts/bench/load.mjs", options(duration)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let out = "";
      child.stdout.on("data", (chunk) => (out += chunk));
      child.once("exit", (code) =>
        code === 0 ? resolve(JSON.parse(out)) : reject(new Error(`the load ended with ${code}`)),
      );
    });
  // Long enough for the just-in-time compiler to have seen the path a few thousand times.
  await run(5);
  const before = processorMicroseconds(target.pid);
  const result = await run(seconds);
  const micros = (processorMicroseconds(target.pid) - before) / result.requests;
  if (result.failed > 0)
    process.stderr.write(`${result.failed} of ${result.requests} requests failed on port ${target.port}\n`);
  return { ...result, micros };
}

/** utime + stime of a process (proc(5), fields 14 and 15), at 100 ticks a second. */
function processorMicroseconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

function residentMegabytes(pid) {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024);
}

async function newDatabase() {
  const name = `gw_bench_${process.pid}`;
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  cleanUps.push(async () => {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
  });
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** A gw process with one supplier, a paying customer's key with a budget and a rate limit, and an exempt key without. */
async function withGateway(upstream, env, use) {
  if (only !== "" && !"gw".includes(only.toLowerCase()) && !only.startsWith("gw")) return;
  const dataDir = mkdtempSync(join(folder, "data-"));
  const configFile = join(dataDir, "gw.config.json");
  writeFileSync(
    configFile,
    JSON.stringify({
      suppliers: [
        {
          name: "bench",
          kind: "chat",
          base_url: `http://127.0.0.1:${upstream.port}/v1`,
          region: "eu",
          credentials: [{ name: "main", api_key: "secret" }],
        },
      ],
      models: [
        {
          id: "bench",
          owned_by: "bench",
          capability: "chat",
          context_tokens: 8000,
          max_output_tokens: 1000,
          routes: [
            { supplier: "bench", upstream_model: "bench", price: { input_per_mtok: 0.5, output_per_mtok: 1.5 } },
          ],
        },
      ],
    }),
  );
  const port = await freePort();
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
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
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries += 1) {
    if ((await fetch(`${url}/health?ready`).catch(() => null))?.ok) break;
    if (tries > 300) throw new Error("gw did not become healthy");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  process.stdout.write(`gw idle: ${residentMegabytes(child.pid)} MB resident in the server process\n`);
  const issue = async (fields) => {
    const response = await fetch(`${url}/v1/manage/keys`, {
      method: "POST",
      headers: { ...bearer(adminKey), "content-type": "application/json" },
      body: JSON.stringify(fields),
    });
    const { key } = await response.json();
    if (!key) throw new Error("no key");
    return key;
  };
  const exempt = await issue({ name: "exempt" });
  const paying = await issue({
    name: "paying",
    budget_limit: 1_000_000,
    budget_period: "monthly",
    rate_limit_rpm: 1_000_000,
  });
  // The operator's own organisation is exempt: from here on it pays from a funded wallet, as a customer's does.
  const charge = async () => {
    const place = env.DATABASE_URL
      ? { connectionString: env.DATABASE_URL }
      : { host: join(dataDir, "run"), user: "postgres", database: "postgres" };
    const client = new pg.Client(place);
    await client.connect();
    await client.query(`SELECT wallet_mark_exempt(id, false, 'bench'),
      wallet_post(id, 'adjustment', 1000000000000000, 'adjustment', 'bench', 'bench', 'funds') FROM ledger_account WHERE kind = 'wallet'`);
    await client.end();
  };
  await use({ pid: child.pid, port, path: "/v1/chat/completions" }, { exempt, paying, charge });
  child.kill("SIGTERM");
  await new Promise((resolve) => child.once("exit", resolve));
}

async function measurePortkey(upstream, measure) {
  const port = await freePort();
  const child = spawn("npx", ["--yes", "@portkey-ai/gateway@1.15.2", "--headless", `--port=${port}`], {
    cwd: folder,
    stdio: "ignore",
    detached: true,
  });
  cleanUps.push(async () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {}
  });
  for (let tries = 0; ; tries += 1) {
    if (await fetch(`http://127.0.0.1:${port}/`).catch(() => null)) break;
    if (tries > 600) {
      process.stdout.write("Portkey's gateway could not be fetched: no row for it.\n");
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const pid = listenerOn(port);
  await measure(
    "Portkey's gateway (keeps no accounts)",
    { pid, port, path: "/v1/chat/completions" },
    {
      authorization: "Bearer secret",
      "x-portkey-provider": "openai",
      "x-portkey-custom-host": `http://127.0.0.1:${upstream.port}/v1`,
    },
  );
}

/** The process that listens on a port: its socket's inode from /proc/net/tcp, found among the open files of all processes. */
function listenerOn(port) {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const tables = ["/proc/net/tcp", "/proc/net/tcp6"].map((file) => readFileSync(file, "utf8")).join("\n");
  const row = tables.split("\n").find((line) => line.includes(`:${hex} `) && line.includes(" 0A "));
  const inode = row?.trim().split(/\s+/)[9];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const files = readdirSync(`/proc/${pid}/fd`);
      if (files.some((file) => readlinkSync(`/proc/${pid}/fd/${file}`) === `socket:[${inode}]`)) return Number(pid);
    } catch {
      // A process that has just ended, or one of somebody else.
    }
  }
  throw new Error(`nobody listens on port ${port}`);
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function print(rows) {
  for (const stream of [false, true]) {
    const table = rows.filter((row) => row.stream === stream);
    const [floor] = table;
    const line = (...cells) =>
      cells.map((cell, i) => (i === 0 ? String(cell).padEnd(40) : String(cell).padStart(11))).join("");
    const times = (value, base) => `${(value / base).toFixed(2)} x`;
    process.stdout.write(
      `\n${stream ? "Streams of 100 events" : "Whole answers"}, ${connections} connections, ${seconds} s a row\n`,
    );
    process.stdout.write(
      `${line("", "CPU µs/req", "to floor", "req/s", "to floor", "p50 ms", "p99 ms", "MB", "to floor")}\n`,
    );
    for (const row of table) {
      process.stdout.write(
        `${line(row.name, row.micros.toFixed(0), times(row.micros, floor.micros), row.perSecond.toFixed(0), times(row.perSecond, floor.perSecond), row.p50, row.p99, row.memory, times(row.memory, floor.memory))}\n`,
      );
    }
  }
}
