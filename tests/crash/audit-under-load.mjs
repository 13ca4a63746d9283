// Audits the books continuously while paid calls run, and then compares them with the supplier's bill.
// node tests/crash/audit-under-load.mjs [--seconds 60] [--clients 16] [--seed N]
// With TEST_DATABASE_URL: two processes on one PostgreSQL server, one of which is repeatedly killed with SIGKILL.
// Otherwise: one process on the embedded database.
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { fractionOf } from "../support/stand-in-supplier/random.mjs";
import { startLoad } from "./load.mjs";
import { CrashServer, LEASE_MS } from "./server.mjs";
import { catalogue, FAULTS, startStandIn } from "./supplier.mjs";
import { verdictOn } from "./verdict.mjs";

const EVERY_MS = 50;
/** In USD. The funds are enough for about two thousand calls; the second key's budget is spent within seconds. */
const [FUNDS, SMALL_BUDGET] = [1_000, 0.01];

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    clients: { type: "string", default: "16" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
let draws = 0;
const random = () => {
  draws += 1;
  return fractionOf(`${values.seed}/${draws}`);
};
const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

const onPostgres = Boolean(process.env.TEST_DATABASE_URL);
const standIn = await startStandIn();
const configFor = (/** @type {number} */ closedPort) => catalogue(standIn.url, closedPort);
const server = await CrashServer.prepare(configFor);
/** @type {CrashServer | null} */
let victim = null;
let failed = false;
try {
  say(
    `audited every ${EVERY_MS} ms, --seed ${values.seed}, ${onPostgres ? "two processes on PostgreSQL" : "embedded"}`,
  );
  await standIn.ask("/__plan", { seed: values.seed, ...FAULTS });
  await server.start();
  const key = await server.createKey({ budget_limit: FUNDS, budget_period: "monthly" });
  const small = await server.createKey({ budget_limit: SMALL_BUDGET, budget_period: "monthly" });
  await server.sql(`SELECT wallet_mark_exempt(id, false, 'test'),
      wallet_post(id, 'adjustment', ${FUNDS}000000000, 'adjustment', 'funds', 'test', 'funds')
    FROM ledger_account WHERE kind = 'wallet'`);
  if (onPostgres) {
    victim = await server.beside(configFor);
    await victim.start();
  }
  // By then every process has received the event about the funds.
  await pause(2_000);
  const clients = Number(values.clients);
  const loads = [server, ...(victim ? [victim] : [])].flatMap(({ url }) => [
    startLoad({ url, key, clients, random }),
    startLoad({ url, key: small, clients: 2, random }),
  ]);
  const until = Date.now() + Number(values.seconds) * 1_000;
  const [watched, kills] = await Promise.all([watch(until), killOverAndOver(until)]);
  const stopped = await Promise.all(loads.map(({ stop }) => stop()));
  say(
    `  ${watched.samples} audits, the longest took ${watched.longestMs} ms; ${kills} kills; two leases: ${2 * LEASE_MS} ms`,
  );
  await pause(2 * LEASE_MS);
  const { defects, figures } = verdictOn({
    bill: await standIn.ask("/__bill"),
    holds: await server.sql("SELECT id, state, amount::text, captured::text FROM hold"),
    usage: await server.sql(
      "SELECT request_id AS id, charged::text, cost::text, token_source AS source, outcome FROM usage_event",
    ),
    audit: await server.sql("SELECT * FROM ledger_audit"),
    completed: new Set(stopped.flatMap(({ completed }) => [...completed])),
  });
  const [{ left }] = await server.sql("SELECT count(*)::int AS left FROM unposted_turn");
  if (left > 0) defects.push(`${left} turns are not posted`);
  const statuses = stopped.map((each) => each.statuses);
  say(`  ${JSON.stringify({ ...figures, statuses })}`);
  const all = [...watched.found, ...defects];
  for (const defect of all.slice(0, 40)) say(`  DEFECT ${defect}`);
  if (all.length > 0) say(`  ${all.length} defects\n${server.output()}`);
  failed = all.length > 0 || watched.samples === 0 || figures.answered === 0;
} catch (error) {
  failed = true;
  say(`${/** @type {Error} */ (error).stack}\n${server.output()}`);
} finally {
  await victim?.remove();
  await server.remove();
  await standIn.close();
}
say(failed ? "FAILED" : "the books were in order all the time");
process.exitCode = failed ? 1 : 0;

/** Audits the books until a time. @param {number} until */
async function watch(until) {
  const client = await server.connect();
  /** @type {string[]} */
  const found = [];
  let samples = 0;
  let longestMs = 0;
  while (Date.now() < until) {
    const began = Date.now();
    const { rows } = await client.query("SELECT * FROM ledger_audit");
    found.push(...rows.map((row) => `audit ${samples}: ${JSON.stringify(row)}`));
    samples += 1;
    longestMs = Math.max(longestMs, Date.now() - began);
    await pause(Math.max(0, began + EVERY_MS - Date.now()));
  }
  await client.end();
  return { found, samples, longestMs };
}

/** Kills the second process repeatedly; the first one posts its remaining work. Returns the number of kills. @param {number} until */
async function killOverAndOver(until) {
  let kills = 0;
  while (victim !== null && Date.now() + 2_000 < until) {
    await pause(1_000 + random() * 2_000);
    await victim.kill("SIGKILL");
    kills += 1;
    await pause(300);
    await victim.start();
  }
  return kills;
}
