// Kills the server with SIGKILL at random moments under load, and then compares its books with the supplier's bill.
// node tests/crash/kill-nine.mjs [--kills 20] [--clients 16] [--seed N]; uses PostgreSQL if TEST_DATABASE_URL is set.
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { fractionOf } from "../support/stand-in-supplier/random.mjs";
import { startLoad } from "./load.mjs";
import { CrashServer, LEASE_MS } from "./server.mjs";
import { catalogue, FAULTS, startStandIn } from "./supplier.mjs";
import { verdictOn } from "./verdict.mjs";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "20" },
    clients: { type: "string", default: "16" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const kills = Number(values.kills);
let draws = 0;
const random = () => {
  draws += 1;
  return fractionOf(`${values.seed}/${draws}`);
};
const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

const standIn = await startStandIn();
const server = await CrashServer.prepare((closedPort) => catalogue(standIn.url, closedPort));
let failed = false;
try {
  say(
    `kill -9, ${kills} times, --seed ${values.seed}, ${process.env.TEST_DATABASE_URL ? "PostgreSQL" : "embedded database"}`,
  );
  await standIn.ask("/__plan", { seed: values.seed, ...FAULTS });
  await server.start();
  const key = await server.createKey({ budget_limit: 1_000, budget_period: "monthly" });
  const load = startLoad({ url: server.url, key, clients: Number(values.clients), random });
  for (let kill = 1; kill <= kills; kill += 1) {
    await pause(60 + random() * 900);
    await server.kill("SIGKILL");
    const downAt = Date.now();
    await server.start();
    say(`  ${kill}: up again after ${Date.now() - downAt} ms`);
  }
  await pause(500);
  const { completed, statuses } = await load.stop();
  say(`  two leases: ${2 * LEASE_MS} ms`);
  await pause(2 * LEASE_MS);
  const { defects, figures } = verdictOn({
    bill: await standIn.ask("/__bill"),
    holds: await server.sql("SELECT id, state, amount::text, captured::text, reason FROM hold"),
    usage: await server.sql(
      "SELECT request_id AS id, charged::text, cost::text, token_source AS source, outcome FROM usage_event",
    ),
    audit: await server.sql("SELECT * FROM ledger_audit"),
    completed,
  });
  say(`  ${JSON.stringify({ ...figures, statuses })}`);
  for (const defect of defects.slice(0, 40)) say(`  DEFECT ${defect}`);
  if (defects.length > 0) say(`  ${defects.length} defects\n${server.output()}`);
  failed = defects.length > 0 || figures.answered === 0;
} catch (error) {
  failed = true;
  say(`${/** @type {Error} */ (error).stack}\n${server.output()}`);
} finally {
  await server.remove();
  await standIn.close();
}
say(failed ? "FAILED" : "the books agree with the supplier's bill");
process.exitCode = failed ? 1 : 0;
