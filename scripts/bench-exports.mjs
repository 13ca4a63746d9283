// Measures the memory of an export of a million rows, the time until a cancelled one stops, and whether a resumed
// download is complete:
// npm run bench:exports -- postgresql://user:password@host/postgres [rows] [reports|files]
// Also measures files that are written during their download: the request log, usage, the ledger of a wallet.
// Creates a database and drops it; needs the built server (node scripts/prepare.mjs build).
import { createHash } from "node:crypto";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { writeCalls } from "./bench/calls.mjs";
import { measureFiles, writeLedger } from "./bench/files.mjs";
import { anonymousBytes } from "./bench/processes.mjs";
import { signInAs, withServer } from "./bench/server.mjs";

const [serverUrl = process.env.TEST_DATABASE_URL, rowsText = "1000000", only = ""] = process.argv.slice(2);
if (!serverUrl) throw new Error("name a PostgreSQL server, or set TEST_DATABASE_URL");
const HOURS = 1_000;
const KEYS = Math.ceil(Number(rowsText) / HOURS);
const HOUR_MS = 3_600_000;
const MEGABYTE = 1024 * 1024;
const SINCE = new Date(Math.floor(Date.now() / (24 * HOUR_MS) - 45) * 24 * HOUR_MS);
const USED_SINCE = new Date(Date.now() - 89 * 24 * HOUR_MS);
const UNTIL = new Date(SINCE.getTime() + (HOURS - 1) * HOUR_MS);

const day = (at) => at.toISOString().slice(0, 10);
const say = (text) => process.stdout.write(`${text}\n`);

/** A person with a thousand hours of usage of many keys. */
async function fill(client) {
  const { rows: organisations } = await client.query(
    "INSERT INTO organisation (name, slug) VALUES ('Exports', 'exports') RETURNING id",
  );
  const organisationId = organisations[0].id;
  const { rows: people } = await client.query(
    "INSERT INTO app_user (email, name, organisation_id) VALUES ('exports@customers.example', 'Exports', $1) RETURNING id",
    [organisationId],
  );
  await client.query(
    `INSERT INTO usage_hour (hour, organisation_id, key_id, user_id, department_id, project_id, model, supplier, region, requests, charged, cost,
                             errors, failovers, routed, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens,
                             saved, latency_ms, first_byte_ms, first_bytes)
     SELECT $1::timestamptz + h * interval '1 hour', $2, 1000000 + k, $3, 0, 0, 'model-' || k % 12, 'supplier', 'eu', k % 90, k * 1000003, k * 1000003,
            0, 0, 0, k * 100, 0, 0, k * 10, 0, 0, 100, 10, 1
       FROM generate_series(0, $4::int - 1) h, generate_series(1, $5::int) k`,
    [SINCE, organisationId, people[0].id, HOURS, KEYS],
  );
  await client.query("VACUUM ANALYZE usage_hour");
  return signInAs(client, { userId: people[0].id, role: "member" });
}

async function work({ address, server, filled: cookie, sql }) {
  const ask = (path, body) =>
    fetch(`${address}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        cookie,
        accept: "application/json",
        "content-type": "application/json",
        "sec-fetch-site": "same-origin",
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const answer = async (path, body) => {
    const response = await ask(path, body);
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const question = `since=${day(SINCE)}&until=${day(UNTIL)}&interval=hour&group=key&charged_usd=on&requests=on&input_tokens=on&output_tokens=on`;
  const { id } = await answer("/dashboard/reports", { name: "Every key by the hour", question });
  const begin = async (format) => (await answer(`/dashboard/reports/${id}/exports`, { format })).id;
  const state = (exportId) => answer(`/dashboard/reports/exports/${exportId}`);

  // The first export also pays for one-time costs, such as compiled code.
  for (const format of ["csv", "csv", "jsonl", "xlsx"]) {
    await sleep(5_000);
    const before = anonymousBytes(server.pid);
    const begun = performance.now();
    const exportId = await begin(format);
    let most = before;
    let now = await state(exportId);
    while (now.status === "queued" || now.status === "running") {
      most = Math.max(most, anonymousBytes(server.pid));
      await sleep(100);
      now = await state(exportId);
    }
    if (now.status !== "done") throw new Error(`the export ended as ${now.status}: ${now.problem}`);
    const seconds = (performance.now() - begun) / 1000;
    const [grown, bytes] = [most - before, Number(now.bytes)].map((each) => (each / MEGABYTE).toFixed(0));
    say(
      `${format.padEnd(6)} ${now.rows} rows, ${bytes} MB in ${seconds.toFixed(0)} s: memory ${(before / MEGABYTE).toFixed(0)} MB + ${grown} MB`,
    );
    if (format === "xlsx") await resumed({ address, cookie, exportId, now });
  }
  const exportId = await begin("csv");
  while (Number((await state(exportId)).rows) === 0) await sleep(50);
  const cancelled = performance.now();
  await answer(`/dashboard/reports/exports/${exportId}/cancel`, {});
  const isAtIt =
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE '%usage_hour%' AND xact_start IS NOT NULL AND pid <> pg_backend_pid()";
  while ((await sql(isAtIt)).rows[0].n > 0) await sleep(20);
  say(`cancelled: nothing of it runs after ${(performance.now() - cancelled).toFixed(0)} ms`);
}

/** Downloads a file in three parts, each starting where the previous one ended. */
async function resumed({ address, cookie, exportId, now }) {
  const hash = createHash("sha256");
  const size = Number(now.bytes);
  let at = 0;
  for (const to of [Math.floor(size / 3), Math.floor((2 * size) / 3) + 1, size]) {
    const headers = { cookie, range: `bytes=${at}-${to - 1}` };
    const response = await fetch(`${address}/dashboard/reports/exports/${exportId}/download`, { headers });
    if (response.status !== 206) throw new Error(`a part of the file was answered with ${response.status}`);
    hash.update(Buffer.from(await response.arrayBuffer()));
    at = to;
  }
  if (hash.digest("hex") !== now.sha256) throw new Error("a resumed download is another file");
  say(`a download in three parts is the file (${size} bytes)`);
}

/** Finished calls of all organisations, and the wallet of the organisation with half of them. */
async function fillFiles(client) {
  await writeCalls(client, Number(rowsText));
  await writeLedger(client, Math.ceil(Number(rowsText) / 5));
  const { rows } = await client.query(
    "SELECT u.id FROM app_user u JOIN organisation o ON o.id = u.organisation_id WHERE o.slug = 'customer-1' ORDER BY u.id LIMIT 2",
  );
  const [platform, organisation] = rows.map(({ id }) => id);
  return {
    platform: await signInAs(client, { userId: platform, role: "platform_admin" }),
    organisation: await signInAs(client, { userId: organisation, role: "org_admin" }),
  };
}

const filesOf = ({ platform, organisation }) => [
  { name: "request log", path: "/dashboard/request-log/export", cookie: platform },
  {
    name: "usage by key, day",
    path: `/dashboard/usage/export?since=${day(USED_SINCE)}&until=${day(new Date())}&group=key`,
    cookie: platform,
  },
  { name: "ledger", path: "/dashboard/billing/ledger/export", cookie: organisation },
];

if ("reports".includes(only)) await withServer(serverUrl, "gw_exports", { fill, work });
if ("files".includes(only))
  await withServer(serverUrl, "gw_files", { fill: fillFiles, work: (on) => measureFiles(on, filesOf(on.filled)) });
