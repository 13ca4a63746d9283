// npm run bench: compares gw with a raw Node proxy, in one run and one table. Every row alternates with the proxy (the
// floor) and is a ratio to it, because machines are shared and noisy. Linux only: it reads processor times from /proc.
// docs/operating/measure.md explains the columns; docs/decisions/021-the-floor-at-the-same-rate.md explains the two floors.
// A request that fails, or whose answer differs from the supplier's, is not counted, and the run fails.
//
//   BENCH_DATABASE_URL        a PostgreSQL server on which it may create a database; else only the embedded one is measured
//   BENCH_SECONDS (5)         seconds of each row, after BENCH_WARM_UP_SECONDS (5);  BENCH_CONNECTIONS (24)
//   BENCH_ONLY                part of the name of the only group to measure: gw, portkey, conversion
//   -- --mixed 60             only a mix of whole answers, streams, embeddings and rejections, for 60 seconds
//   -- --processes 1,2,4      only 1, 2 and 4 processes on one PostgreSQL, with 64 connections in total
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { compareWithFloor, printRows } from "./bench/compare.mjs";
import { measureConversion } from "./bench/conversion.mjs";
import { bearer, freePort, withGateway } from "./bench/gateway.mjs";
import { failures } from "./bench/measure.mjs";
import { measureMixed } from "./bench/mixed.mjs";
import { startPortkey } from "./bench/portkey.mjs";
import { loadOfMachine } from "./bench/processes.mjs";
import { measureProcesses } from "./bench/together.mjs";

const only = (process.env.BENCH_ONLY ?? "").toLowerCase();
const isWanted = (group) => group.includes(only);
const { values: asked } = parseArgs({ options: { processes: { type: "string" }, mixed: { type: "string" } } });
const databaseUrl = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL;
const folder = mkdtempSync(join(tmpdir(), "gw-bench-"));
const cleanUps = [];
const rows = [];

process.stdout.write(`${loadOfMachine()} before anything was started\n`);
try {
  const upstream = await started("scripts/bench/upstream.mjs");
  const floor = { ...(await started("scripts/bench/raw-proxy.mjs", [String(upstream.port)])), name: "floor:" };
  const measure = async (name, target, headers) => {
    const measured = await compareWithFloor(name, target, floor, headers);
    rows.push(...measured);
    return measured.reduce((sum, { warmUps, requests }) => sum + warmUps + requests, 0);
  };
  if (asked.processes) await measureTogether(upstream, asked.processes.split(",").map(Number));
  if (asked.mixed)
    await measureMixed({ folder, upstream, seconds: Number(asked.mixed), url: databaseUrl && (await newDatabase()) });
  const isAll = !asked.processes && !asked.mixed;
  if (isWanted("gw") && isAll) await measureGateway(upstream, measure);
  if (isWanted("portkey") && isAll) await measurePortkey(upstream, measure);
  if (rows.length > 0) printRows(rows);
  if (isWanted("conversion") && isAll) {
    await withGateway(folder, upstream, {}, (gateway, keys) =>
      paying("conversion", keys, () => measureConversion(gateway, bearer(keys.paying))),
    );
  }
} finally {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) process.stdout.write(`FAILED: ${failure}\n`);
process.exitCode = failures.length > 0 ? 1 : 0;

/** Starts a script that prints its port. */
async function started(script, args = []) {
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  cleanUps.push(() => child.kill("SIGKILL"));
  const port = await new Promise((resolve) =>
    child.stdout.once("data", (text) => resolve(Number(String(text).trim()))),
  );
  return { pid: child.pid, port, path: "/v1/chat/completions" };
}

async function measureGateway(upstream, measure) {
  const databases = [
    ...(databaseUrl ? [{ name: "PostgreSQL", env: { DATABASE_URL: await newDatabase() } }] : []),
    { name: "embedded", env: {} },
  ];
  for (const { name, env } of databases) {
    await withGateway(folder, upstream, env, async (gateway, keys) => {
      await measure(`gw, exempt payer, ${name}`, gateway, bearer(keys.exempt));
      const full = `gw, full accounting, ${name}`;
      await paying(full, keys, () => measure(full, gateway, bearer(keys.paying)));
    });
  }
}

async function measureTogether(upstream, counts) {
  if (!databaseUrl) throw new Error("--processes needs BENCH_DATABASE_URL: the embedded database serves one process");
  for (const count of counts) await measureProcesses({ count, folder, upstream, url: await newDatabase() });
}

/** Makes the payer a customer, measures, and checks the ledger: it must contain each request, paid from the wallet. */
async function paying(name, keys, measure) {
  await keys.charge();
  // By then, every process has received the change.
  await pause(2_000);
  const requests = await measure();
  let charged = 0;
  for (let tries = 0; tries < 100 && charged < requests; tries += 1) {
    charged = await keys.charged();
    if (charged < requests) await pause(100);
  }
  process.stdout.write(`${name}: ${charged} calls charged to a wallet, ${requests} requests answered\n`);
  if (charged < requests) failures.push(`${requests - charged} requests were not charged: ${name}`);
}

async function measurePortkey(upstream, measure) {
  const port = await freePort();
  const portkey = await startPortkey(folder, port);
  if (portkey === null) {
    process.stdout.write("Portkey's gateway could not be fetched: no row for it.\n");
    return;
  }
  cleanUps.push(portkey.end);
  const target = { pid: portkey.pid, port, path: "/v1/chat/completions" };
  await measure("Portkey's gateway (keeps no accounts)", target, {
    authorization: "Bearer secret",
    "x-portkey-provider": "openai",
    "x-portkey-custom-host": `http://127.0.0.1:${upstream.port}/v1`,
  });
}

async function newDatabase() {
  const name = `gw_bench_${process.pid}_${cleanUps.length}`;
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
