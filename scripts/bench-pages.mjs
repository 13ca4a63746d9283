// How long the pages of the portal take on millions of finished calls: npm run bench:pages -- postgresql://user:password@host/postgres [calls]
// In a database of its own, which it drops; the built server must be there (node scripts/prepare.mjs build).
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { writeCalls } from "./bench/calls.mjs";

const [serverUrl = process.env.TEST_DATABASE_URL, callsText = "5000000"] = process.argv.slice(2);
if (!serverUrl) throw new Error("name a PostgreSQL server, or set TEST_DATABASE_URL");
const ROUNDS = 20;
const root = fileURLToPath(new URL("..", import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), "gw-pages-"));
const name = `gw_pages_${process.pid}`;
const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;

const dayAgo = (days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const LOG = "/dashboard/request-log";
const PAGES = [
  ...["/dashboard", "/dashboard?range=30d", "/dashboard/usage?range=30d", "/dashboard/usage?range=30d&group=key"],
  ...["/dashboard/keys", LOG, `${LOG}?outcome=failed`, `${LOG}?outcome=rejected`, `${LOG}?code=upstream_error`],
  ...[`${LOG}?code=none`, `${LOG}?session=none`, `${LOG}?since=${dayAgo(60)}&until=${dayAgo(60)}`],
  ...[`${LOG}?model=model-3`, `${LOG}?model=none`, `${LOG}?least_cost=9`],
  ...["/dashboard/autorouter?days=90", "/dashboard/qualitative?days=90", "/dashboard/qualitative?group=model"],
];

const onServer = async (address, work) => {
  const client = new pg.Client(address);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** The key's owner who called most, and an admin of their organisation, each with a session. */
async function signIn(client) {
  const terms = ["terms", "aup", "privacy"].flatMap((each) => readdirSync(join(root, "app/legal", each)));
  const version = terms
    .map((file) => file.replace(/\.md$/, ""))
    .sort()
    .at(-1);
  const { rows } = await client.query(
    "SELECT user_id AS id FROM usage_hour WHERE organisation_id = (SELECT min(organisation_id) FROM usage_hour) GROUP BY 1 ORDER BY sum(requests) DESC LIMIT 2",
  );
  const people = [];
  for (const [place, role] of ["member", "org_admin"].entries()) {
    const token = randomBytes(32).toString("base64url");
    await client.query(
      "UPDATE app_user SET role = $2, terms_version = $3, terms_accepted_at = now(), email_verified_at = now() WHERE id = $1",
      [rows[place].id, role, version],
    );
    await client.query(
      "INSERT INTO session (token_hash, user_id, admin_mode, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')",
      [createHash("sha256").update(token).digest(), rows[place].id, role !== "member"],
    );
    people.push({ role, cookie: `gw_session=${token}` });
  }
  return people;
}

async function measure(address, cookie) {
  const times = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const begun = performance.now();
    const response = await fetch(address, { headers: { cookie }, redirect: "manual" });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${address} answered ${response.status}`);
    // The first one is of a cold memory, and told apart.
    if (round > 0) times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  return { p50: times[Math.floor(ROUNDS * 0.5)], p95: times[Math.floor(ROUNDS * 0.95) - 1] };
}

const env = { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, GW_SECRET: randomBytes(32).toString("hex") };
const script = (file, more = {}) =>
  spawn(process.execPath, [join(root, "scripts", file)], { cwd: root, stdio: "ignore", env: { ...env, ...more } });
let server = null;
try {
  await onServer(serverUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  await new Promise((resolve) => script("migrate.mjs").once("exit", resolve));
  const people = await onServer(url, async (client) => {
    await writeCalls(client, Number(callsText));
    return signIn(client);
  });
  const port = await freePort();
  server = script("start.mjs", { PORT: String(port) });
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      (answer) => answer.ok,
      () => false,
    );
  while (!(await ready())) await sleep(500);
  for (const { role, cookie } of people)
    for (const page of PAGES) {
      const { p50, p95 } = await measure(`http://127.0.0.1:${port}${page}`, cookie);
      process.stdout.write(
        `${role.padEnd(10)} ${page.padEnd(62)} p50 ${p50.toFixed(0).padStart(5)} ms   p95 ${p95.toFixed(0).padStart(5)} ms\n`,
      );
    }
} finally {
  if (server?.kill()) await new Promise((resolve) => server.once("exit", resolve));
  await onServer(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  rmSync(dataDir, { recursive: true, force: true });
}
