// Runs a built server on a database of its own, to measure pages and jobs.
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { NEWEST_FUNCTIONS } from "../newest-functions.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Starts the built server on a new database of a PostgreSQL server, with a catalogue or the sandbox's. Before, `fill`
 * writes to the database through a `pg` client. Runs `work` with the server's address, its process and the result of `fill`.
 * Then stops the server and drops the database, also after a failure.
 */
export async function withServer(serverUrl, name, { fill, work, catalogue }) {
  const database = `${name}_${process.pid}`;
  const url = Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href;
  const dataDir = mkdtempSync(join(tmpdir(), "gw-measured-"));
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, GW_SECRET: randomBytes(32).toString("hex") };
  if (catalogue !== undefined) {
    env.GW_CONFIG = join(dataDir, "gw.config.json");
    writeFileSync(env.GW_CONFIG, JSON.stringify(catalogue));
  }
  const script = (file, more = {}) =>
    spawn(process.execPath, [join(root, "scripts", file)], { cwd: root, stdio: "ignore", env: { ...env, ...more } });
  let server = null;
  try {
    await onServer(serverUrl, (client) => client.query(`CREATE DATABASE ${database}`));
    await new Promise((resolve) => script("migrate.mjs").once("exit", resolve));
    const filled = await onServer(url, fill);
    const address = `http://127.0.0.1:${await freePort()}`;
    server = script("start.mjs", { PORT: new URL(address).port });
    while (!(await isUp(address))) await sleep(500);
    await work({
      address,
      server,
      filled,
      onDatabase: (ask) => onServer(url, ask),
      sql: (text, values) => onServer(url, (client) => client.query(text, values)),
    });
  } finally {
    if (server?.kill()) await new Promise((resolve) => server.once("exit", resolve));
    await onServer(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`));
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function onServer(address, work) {
  const client = new pg.Client(address);
  await client.connect();
  try {
    await client.query(NEWEST_FUNCTIONS);
    return await work(client);
  } finally {
    await client.end();
  }
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const isUp = (address) =>
  fetch(`${address}/`).then(
    (answer) => answer.ok,
    () => false,
  );

/** Gives an existing person a role, accepted current terms and a session. Returns the session's cookie. */
export async function signInAs(client, { userId, role }) {
  const terms = ["terms", "aup", "privacy"].flatMap((each) => readdirSync(join(root, "app/legal", each)));
  const version = terms
    .map((file) => file.replace(/\.md$/, ""))
    .sort()
    .at(-1);
  const token = randomBytes(32).toString("base64url");
  await client.query(
    "UPDATE app_user SET role = $2, terms_version = $3, terms_accepted_at = now(), email_verified_at = now() WHERE id = $1",
    [userId, role, version],
  );
  await client.query(
    "INSERT INTO session (token_hash, user_id, admin_mode, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')",
    [createHash("sha256").update(token).digest(), userId, role !== "member"],
  );
  return `gw_session=${token}`;
}
