// Measures several gw processes on one PostgreSQL: their total throughput with one paying wallet (hot) and with sixteen
// (cold), how long they wait for each other's locks, and whether they overspend a small budget together.
import { setTimeout as pause } from "node:timers/promises";
import { bearer, withGateway } from "./gateway.mjs";
import { body, failures, loaded, seconds } from "./measure.mjs";
import { loadOfMachine, processorMicroseconds } from "./processes.mjs";
import { line, rounded } from "./table.mjs";

const CONNECTIONS = 64;
const WALLETS = 16;
const LIMITS = { budget_limit: 1_000_000, budget_period: "monthly", rate_limit_rpm: 1_000_000 };
/** US dollars: about seventy requests of the benchmark. */
const SMALL_BUDGET = 0.02;
const SAMPLE_MS = 25;
const HEADS = ["req/s", "p50 ms", "p99 ms", "CPU µs", "DB µs", "waiting", "failed"];

/** Measures `count` processes on the PostgreSQL database `url`, and prints a table. */
export async function measureProcesses({ count, folder, upstream, url }) {
  const env = { DATABASE_URL: url };
  let keys;
  let books;
  await withGateway(folder, upstream, env, async (_, made) => {
    books = made;
    keys = await makeKeys(made);
  });
  await withAll(count, { folder, upstream, env }, async (targets) => {
    process.stdout.write(`\n${count} processes, ${CONNECTIONS} connections together, ${seconds} s a row\n`);
    process.stdout.write(`${line("", ...HEADS)}\n`);
    for (const [name, payers] of [
      ["one wallet pays", [keys.hot]],
      [`${WALLETS} wallets pay`, keys.cold],
    ]) {
      await load(targets, payers, 2);
      printRow(name, await measured({ targets, payers, books }));
    }
    await printOverspend({ targets, key: keys.small, books });
    process.stdout.write(`${loadOfMachine()}\n`);
  });
}

/** Starts `count` gateways; each stops after `use`. */
function withAll(count, { folder, upstream, env }, use, targets = []) {
  if (targets.length === count) return use(targets);
  return withGateway(folder, upstream, env, (target) =>
    withAll(count, { folder, upstream, env }, use, [...targets, target]),
  );
}

/** Creates a key of an organisation with one wallet, sixteen of an organisation each, and one with a small budget. */
async function makeKeys({ issue, sql, charge }) {
  const hot = await issue({ name: "hot", ...LIMITS });
  const small = await issue({ name: "small", ...LIMITS, budget_limit: SMALL_BUDGET });
  const cold = [];
  for (let i = 0; i < WALLETS; i += 1) {
    cold.push(await issue({ name: `cold ${i}`, ...LIMITS }));
    await sql(`WITH o AS (INSERT INTO organisation (name, slug) VALUES ('cold ${i}', 'cold-${i}') RETURNING id), w AS (
        SELECT wallet_open('organisation', o.id, o.id, false) FROM o)
      UPDATE api_key SET organisation_id = o.id FROM o, w WHERE name = 'cold ${i}'`);
  }
  await charge();
  return { hot, small, cold };
}

/** Runs one load on all processes at once; each connection alternates the keys. */
async function load(targets, payers, duration) {
  const results = await Promise.all(
    targets.map(({ port, path }) =>
      loaded({
        url: `http://127.0.0.1:${port}${path}`,
        method: "POST",
        body: body("bench", path, false),
        requests: payers.map((key) => ({ headers: { "content-type": "application/json", ...bearer(key) } })),
        connections: Math.max(1, Math.round(CONNECTIONS / targets.length)),
        duration,
        answers: { client: "chat", supplier: "chat", stream: false },
      }),
    ),
  );
  const sum = (field) => results.reduce((total, result) => total + result[field], 0);
  const worst = (field) => Math.max(...results.map((result) => result[field]));
  return {
    requests: sum("requests"),
    perSecond: sum("perSecond"),
    failed: sum("failed"),
    how: results.map(({ how }) => how).join("; "),
    p50: worst("p50"),
    p99: worst("p99"),
  };
}

async function measured({ targets, payers, books }) {
  const database = (await targets[0].databasePids()) ?? [];
  const used = (pids) => pids.reduce((sum, pid) => sum + processorMicroseconds(pid), 0);
  const servers = targets.map(({ pid }) => pid);
  const before = { server: used(servers), database: used(database) };
  const sampling = new AbortController();
  const waits = sampleLockWaits(books, sampling.signal);
  const result = await load(targets, payers, seconds).finally(() => sampling.abort());
  if (result.failed > 0) failures.push(`${result.failed} requests failed: ${result.how}`);
  return {
    ...result,
    server: (used(servers) - before.server) / result.requests,
    database: database.length > 0 ? (used(database) - before.database) / result.requests : null,
    waiting: await waits,
  };
}

/** Average number of sessions that wait for another's lock. */
async function sampleLockWaits({ sql }, signal) {
  let samples = 0;
  let waiting = 0;
  while (!signal.aborted) {
    const [row] = await sql(
      "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    samples += 1;
    waiting += row.waiting;
    await pause(SAMPLE_MS);
  }
  return waiting / Math.max(1, samples);
}

function printRow(name, row) {
  const cells = [rounded(row.perSecond), row.p50, row.p99, rounded(row.server), rounded(row.database)];
  process.stdout.write(`${line(name, ...cells, row.waiting.toFixed(2), row.failed)}\n`);
}

/** Lets all processes spend one small budget at once, and prints the amount that is spent or held beyond it. */
async function printOverspend({ targets, key, books }) {
  await load(targets, [key], 3);
  await pause(1_500);
  const [{ calls, over }] = await books.sql(
    `SELECT (SELECT count(*)::int FROM hold h JOIN api_key k ON k.id = h.key_id WHERE k.name = 'small') AS calls,
            max(c.spent + c.held - b.limit_amt)::float8 AS over
       FROM budget_counter c JOIN budget b ON b.id = c.budget_id WHERE b.limit_amt = ${SMALL_BUDGET * 1e9}`,
  );
  process.stdout.write(
    `a budget of $${SMALL_BUDGET}: ${calls} requests were admitted, overspent by ${Math.max(0, over)} nano-USD\n`,
  );
  if (over > 0) failures.push(`a small budget was overspent by ${over} nano-USD with ${targets.length} processes`);
  if (calls === 0) failures.push("the key with a small budget got no answer");
}
