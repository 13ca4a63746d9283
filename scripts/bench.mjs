// npm run bench: what gw costs against a raw Node proxy, in one run and one table. Every figure is also given as a ratio
// to the floor of the same run, because machines are shared and noisy. Linux only: it reads processor times from /proc.
// The floor is measured twice: as fast as it goes, and at the rate of the row beside it. A process that waits in between
// (for a disk, for a database) pays more for each request than one that never sleeps, whatever it does with it; see
// docs/decisions/021-the-floor-at-the-same-rate.md.
//
//   BENCH_DATABASE_URL   a PostgreSQL server on which it may create a database; without it only the embedded one is measured
//   BENCH_SECONDS (5)    how long each row is measured, after a warm-up;  BENCH_CONNECTIONS (24)
//   BENCH_ONLY           a part of the name of a group, to measure only that: gw, portkey, conversion
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { measureConversion } from "./bench/conversion.mjs";
import { bearer, freePort, withGateway } from "./bench/gateway.mjs";
import { connections, line, load, loadOnce, residentMegabytes, seconds, times } from "./bench/measure.mjs";
import { startPortkey } from "./bench/portkey.mjs";

const only = (process.env.BENCH_ONLY ?? "").toLowerCase();
const isWanted = (group) => group.includes(only);
const databaseUrl = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL;
const folder = mkdtempSync(join(tmpdir(), "gw-bench-"));
const cleanUps = [];

try {
  const upstream = await started("scripts/bench/upstream.mjs");
  const rows = [];
  let floor = null;
  const measure = async (name, target, headers = {}) => {
    const measured = [];
    for (const stream of [false, true]) {
      const row = { name, stream, ...(await load(target, headers, stream)) };
      if (floor !== null) row.atRate = (await loadOnce(floor, {}, stream, seconds, row.perSecond)).micros;
      measured.push(row);
    }
    const memory = residentMegabytes(target.pid);
    for (const row of measured) rows.push({ ...row, memory });
  };
  if (isWanted("gw") || isWanted("portkey")) {
    const raw = await started("scripts/bench/raw-proxy.mjs", [String(upstream.port)]);
    await measure("raw Node proxy (the floor)", raw);
    floor = raw;
  }
  if (isWanted("gw")) await measureGateway(upstream, measure);
  if (isWanted("portkey")) await measurePortkey(upstream, measure);
  print(rows);
  if (isWanted("conversion")) {
    await withGateway(folder, upstream, {}, (gateway, keys) =>
      measureConversion(gateway, bearer(keys.paying), seconds),
    );
  }
} finally {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
  rmSync(folder, { recursive: true, force: true });
}

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
  if (databaseUrl) {
    await withGateway(folder, upstream, { DATABASE_URL: await newDatabase() }, async (gateway, keys) => {
      await measure("gw, exempt payer, PostgreSQL", gateway, bearer(keys.exempt));
      await keys.charge();
      await measure("gw, full accounting, PostgreSQL", gateway, bearer(keys.paying));
    });
  }
  await withGateway(folder, upstream, {}, async (gateway, keys) => {
    await measure("gw, full accounting, embedded", gateway, bearer(keys.paying));
  });
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

function print(rows) {
  for (const stream of [false, true]) {
    const table = rows.filter((row) => row.stream === stream);
    const [floor] = table;
    if (floor === undefined) continue;
    const write = (...cells) => process.stdout.write(`${line(...cells)}\n`);
    process.stdout.write(
      `\n${stream ? "Streams of 100 events" : "Whole answers"}, ${connections} connections, ${seconds} s a row; "floor@": the floor at the rate of the row\n`,
    );
    write(
      "",
      "CPU µs/req",
      "to floor",
      "req/s",
      "to floor",
      "floor@",
      "to floor@",
      "p50 ms",
      "p99 ms",
      "MB",
      "to floor",
    );
    for (const { name, micros, perSecond, atRate = micros, p50, p99, memory } of table) {
      write(
        ...[
          name,
          micros.toFixed(0),
          times(micros, floor.micros),
          perSecond.toFixed(0),
          times(perSecond, floor.perSecond),
        ],
        ...[atRate.toFixed(0), times(micros, atRate), p50, p99, memory, times(memory, floor.memory)],
      );
    }
  }
}
