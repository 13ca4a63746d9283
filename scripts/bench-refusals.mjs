// Measures the cost of a burst of rejections of one key for other keys: npm run bench:refusals. BENCH_DATABASE_URL: a
// PostgreSQL server on which it may create a database; else the embedded one. Another key makes calls at a constant
// rate in three scenarios that alternate: alone; with 1,000 requests a second of an unknown key (the cost of the
// requests themselves); with the same number of a key over its rate limit.
// Fails if rejections are not counted exactly, or if a burst is not one row.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { Pool } from "undici";
import { bearer, withGateway } from "./bench/gateway.mjs";
import { loadOfMachine } from "./bench/processes.mjs";

const PER_SECOND = 1_000;
const SECONDS = 10;
const TURNS = 3;
const OTHERS_EVERY_MS = 25;
const UNKNOWN = `gw_${"U".repeat(43)}nobody`;

const folder = mkdtempSync(join(tmpdir(), "gw-refusals-"));
const upstream = spawn(process.execPath, ["scripts/bench/upstream.mjs"], { stdio: ["ignore", "pipe", "inherit"] });
const serverUrl = process.env.BENCH_DATABASE_URL;
const name = `gw_refusals_${process.pid}`;
const onServer = async (statement) => {
  const client = new pg.Client(serverUrl);
  await client.connect();
  await client.query(statement);
  await client.end();
};

process.stdout.write(`${loadOfMachine()} before anything was started\n`);
try {
  const port = await new Promise((resolve) => upstream.stdout.once("data", (text) => resolve(Number(String(text)))));
  if (serverUrl) await onServer(`CREATE DATABASE ${name}`);
  const env = serverUrl ? { DATABASE_URL: Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href } : {};
  await withGateway(folder, { port }, env, measure);
} finally {
  upstream.kill("SIGKILL");
  if (serverUrl) await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  rmSync(folder, { recursive: true, force: true });
}

async function measure({ port }, { paying, issue, charge, sql }) {
  await charge();
  const limited = await issue({ name: "limited", rate_limit_rpm: 1 });
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 64 });
  const call = async (key) => {
    const { statusCode, body } = await pool.request({
      method: "POST",
      path: "/v1/chat/completions",
      headers: { ...bearer(key), "content-type": "application/json" },
      body: JSON.stringify({ model: "bench", max_tokens: 20, messages: [{ role: "user", content: "Hello" }] }),
    });
    await body.text();
    return statusCode;
  };
  await others(call, paying, 3);
  await call(limited);
  const times = { alone: [], unknown: [], refused: [] };
  let refused = 0;
  for (let turn = 0; turn < TURNS; turn += 1) {
    times.alone.push(...(await others(call, paying, SECONDS)));
    const unknown = burst(call, UNKNOWN, 401);
    times.unknown.push(...(await others(call, paying, SECONDS)));
    await unknown;
    const refusing = burst(call, limited, 429);
    times.refused.push(...(await others(call, paying, SECONDS)));
    refused += await refusing;
  }
  await pool.close();
  await pause(2_500);
  for (const [beside, values] of Object.entries(times)) process.stdout.write(`${rowOf(beside, values)}\n`);
  const [counted] = await sql(
    "SELECT sum(refusals)::int AS count FROM refusal_hour WHERE code = 'rate_limit_exceeded'",
  );
  const bursts = await sql(
    "SELECT times, extract(epoch FROM last_at - at)::int AS seconds FROM gateway_refusal ORDER BY id",
  );
  process.stdout.write(`refused ${refused}, counted ${counted.count}, rows ${JSON.stringify(bursts)}\n`);
  // A burst continues while less than a minute lies between two rejections, and ends with its hour.
  if (counted.count !== refused || bursts.length > 2) process.exitCode = 1;
}

/** Latencies of another key's calls in milliseconds, at a constant rate. */
async function others(call, key, seconds) {
  const times = [];
  const waiting = [];
  const begun = performance.now();
  for (let number = 0; number * OTHERS_EVERY_MS < seconds * 1_000; number += 1) {
    await pause(Math.max(0, begun + number * OTHERS_EVERY_MS - performance.now()));
    const sent = performance.now();
    waiting.push(
      call(key).then((status) => {
        if (status !== 200) throw new Error(`another key's call was answered with ${status}`);
        times.push(performance.now() - sent);
      }),
    );
  }
  await Promise.all(waiting);
  return times;
}

/**
 * Sends requests of one key at a constant rate; returns the number of answers with `status`, which is all but the
 * first.
 */
async function burst(call, key, status) {
  const waiting = [];
  const begun = performance.now();
  for (let number = 0; number < PER_SECOND * SECONDS; number += 5) {
    await pause(Math.max(0, begun + (number * 1_000) / PER_SECOND - performance.now()));
    for (let each = 0; each < 5; each += 1) waiting.push(call(key));
  }
  const answers = await Promise.all(waiting);
  const wanted = answers.filter((answer) => answer === status).length;
  // One request per minute passes.
  if (wanted < answers.length - 2) throw new Error(`${answers.length - wanted} answers were not ${status}`);
  return wanted;
}

function rowOf(beside, values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1).padStart(7);
  return `${beside.padEnd(8)} ${String(values.length).padStart(5)} calls   p50 ${at(0.5)} ms   p95 ${at(0.95)} ms   p99 ${at(0.99)} ms`;
}
